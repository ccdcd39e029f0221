// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.workloads.telecom.FlatProbe;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.BasicArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;

/** Makes a {@link FlatProbe} of a line of JSON, as a tuple, which Flink serializes. */
final class Flattener implements MapFunction<byte[], Tuple3<String[], long[], double[]>> {
    static final TypeInformation<Tuple3<String[], long[], double[]>> TYPE = Types.TUPLE(
            BasicArrayTypeInfo.STRING_ARRAY_TYPE_INFO,
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO,
            PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO);

    private static final long serialVersionUID = 1L;

    @Override
    public Tuple3<String[], long[], double[]> map(byte[] line) {
        FlatProbe probe = FlatProbe.of(line);
        return Tuple3.of(probe.dimensions(), probe.whole(), probe.fractions());
    }
}
