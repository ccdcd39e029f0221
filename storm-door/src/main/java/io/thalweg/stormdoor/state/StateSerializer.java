// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.serializers.DefaultSerializers.AtomicIntegerSerializer;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.state.DefaultStateSerializer;
import org.apache.storm.state.Serializer;
import org.apache.storm.task.TopologyContext;

/**
 * Storm's, but that it reads values of classes, too, that are in the topology's jar, where Kryo looks for them beside its own; and that it
 * needs no access to what is private to Java for the windows that are kept as state. Thread-safe.
 */
final class StateSerializer implements Serializer<Object> {
    private static final long serialVersionUID = 1L;
    private static final String PREPARED = "thalweg";

    private final transient DefaultStateSerializer<Object> storms;
    private final transient ThreadLocal<Kryo> kryo;
    private final transient ClassLoader loader;

    /**
     * @param loader finds the topology's classes
     * @throws IllegalStateException if the conf names a class that is not there; in a checkpoint Storm would try it again and again
     */
    StateSerializer(Map<String, Object> conf, TopologyContext context, ClassLoader loader) {
        storms = new DefaultStateSerializer<>(TupleKryoFactory.used(withoutAtomicInteger(conf), loader), context);
        kryo = kryo(storms);
        this.loader = loader;
        prepare();
    }

    /** Windows register it, and Kryo would read its field. */
    private static Map<String, Object> withoutAtomicInteger(Map<String, Object> conf) {
        Map<String, Object> its = new HashMap<>(conf);
        its.computeIfPresent(
                Config.TOPOLOGY_STATE_KRYO_REGISTER,
                (key, classes) -> ((List<?>) classes)
                        .stream()
                                .filter(each -> !each.equals(AtomicInteger.class.getName()))
                                .toList());
        return its;
    }

    @SuppressWarnings("unchecked") // the field's type
    private static ThreadLocal<Kryo> kryo(DefaultStateSerializer<?> of) {
        try {
            Field field = DefaultStateSerializer.class.getDeclaredField("kryo");
            field.setAccessible(true);
            return (ThreadLocal<Kryo>) field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a DefaultStateSerializer is not as that of Storm 2.8", e);
        }
    }

    @SuppressWarnings("unchecked") // a raw map of Kryo's
    private void prepare() {
        Kryo its = kryo.get();
        if (its.getContext().put(PREPARED, true) == null) {
            its.setClassLoader(loader);
            its.addDefaultSerializer(AtomicInteger.class, AtomicIntegerSerializer.class);
        }
    }

    @Override
    public byte[] serialize(Object value) {
        prepare();
        return storms.serialize(value);
    }

    @Override
    public Object deserialize(byte[] bytes) {
        prepare();
        return storms.deserialize(bytes);
    }
}
