// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.workloads.telecom.FlatKey;
import org.apache.storm.Config;

/** How keys go from one worker to the other. */
final class KeySerializers {
    private KeySerializers() {}

    static void register(Config config) {
        config.registerSerialization(long[].class);
        config.registerSerialization(double[].class);
        config.registerSerialization(GroupBy.Key.class, OfNumbers.class);
        config.registerSerialization(FlatKey.class, OfTexts.class);
    }

    /** For {@link GroupBy.Key}; Kryo makes one by reflection. */
    public static final class OfNumbers extends Serializer<GroupBy.Key> {
        @Override
        public void write(Kryo kryo, Output output, GroupBy.Key key) {
            int[] dimensions = key.dimensions();
            output.writeVarInt(dimensions.length, true);
            output.writeInts(dimensions, 0, dimensions.length, true);
        }

        @Override
        public GroupBy.Key read(Kryo kryo, Input input, Class<? extends GroupBy.Key> type) {
            return new GroupBy.Key(input.readInts(input.readVarInt(true), true));
        }
    }

    /** For {@link FlatKey}; Kryo makes one by reflection. */
    public static final class OfTexts extends Serializer<FlatKey> {
        @Override
        public void write(Kryo kryo, Output output, FlatKey key) {
            output.writeInt(key.hashCode());
            output.writeVarInt(key.values().length, true);
            for (String dimension : key.values()) {
                output.writeString(dimension);
            }
        }

        @Override
        public FlatKey read(Kryo kryo, Input input, Class<? extends FlatKey> type) {
            int hash = input.readInt();
            String[] dimensions = new String[input.readVarInt(true)];
            for (int i = 0; i < dimensions.length; i++) {
                dimensions[i] = input.readString();
            }
            return new FlatKey(dimensions, hash);
        }
    }
}
