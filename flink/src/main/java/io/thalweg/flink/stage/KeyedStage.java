// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.flink.record.CodecSerializer;
import io.thalweg.flink.record.StableKey;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/** An operator that remembers by key, in Flink's keyed state. */
abstract class KeyedStage extends Stage {
    private static final long serialVersionUID = 1L;

    KeyedStage(Shape shape) {
        super(shape);
    }

    /** The key in hand. */
    final Object key() {
        return ((StableKey) getCurrentKey()).key();
    }

    /** One value for each key. */
    final <S> ValueState<S> valueState(String name, Type<S> type) throws Exception {
        return valueState(name, type, "");
    }

    /** @param holds what it is for: state of another purpose is refused */
    final <S> ValueState<S> valueState(String name, Type<S> type, String holds) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>(name, new CodecSerializer<>(type, holds)));
    }

    /** One list for each key. */
    final <E> ListState<E> listState(String name, Type<E> element) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ListStateDescriptor<>(name, new CodecSerializer<>(element)));
    }

    /** One map for each key. */
    final <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value) throws Exception {
        return getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>(name, new CodecSerializer<>(field), new CodecSerializer<>(value)));
    }
}
