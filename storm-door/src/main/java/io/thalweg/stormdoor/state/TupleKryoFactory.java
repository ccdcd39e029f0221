// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.serialization.DefaultKryoFactory;
import org.apache.storm.serialization.SerializableSerializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.shade.org.apache.commons.io.input.ClassLoaderObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Kryo of the tuples that a window keeps as state: Storm's default, but that it finds classes of the topology's jar, those that
 * {@code topology.kryo.register} names and those that Java serialization reads. Storm makes it by its name.
 */
public final class TupleKryoFactory extends DefaultKryoFactory {
    private static final String LOADER = "thalweg.kryo.loader";
    private static final String REGISTER = "thalweg.kryo.register";

    /** A conf by which Storm makes its Kryo here; the same one where the topology has a factory of its own. */
    static Map<String, Object> used(Map<String, Object> conf, ClassLoader loader) {
        if (!DefaultKryoFactory.class.getName().equals(conf.get(Config.TOPOLOGY_KRYO_FACTORY))) {
            return conf;
        }
        Map<String, Object> its = new HashMap<>(conf);
        its.put(Config.TOPOLOGY_KRYO_FACTORY, TupleKryoFactory.class.getName());
        its.put(LOADER, loader);
        its.put(REGISTER, registered(its.remove(Config.TOPOLOGY_KRYO_REGISTER)));
        return its;
    }

    /** The serializer of each class, null for Kryo's; in Storm's order, by which they are numbered. */
    private static Map<String, @Nullable String> registered(@Nullable Object option) {
        Map<String, @Nullable String> all = new TreeMap<>();
        for (Object each : option instanceof List<?> several ? several : option == null ? List.of() : List.of(option)) {
            if (each instanceof Map<?, ?> pairs) {
                pairs.forEach((type, serializer) ->
                        all.put(String.valueOf(type), serializer == null ? null : serializer.toString()));
            } else {
                all.put(String.valueOf(each), null);
            }
        }
        return all;
    }

    @Override
    public Kryo getKryo(Map<String, Object> conf) {
        Kryo kryo = new Loading((ClassLoader) Objects.requireNonNull(conf.get(LOADER)));
        kryo.setRegistrationRequired(!Boolean.TRUE.equals(conf.get(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION)));
        kryo.setReferences(false);
        return kryo;
    }

    @Override
    public void postRegister(Kryo kryo, Map<String, Object> conf) {
        boolean skipsMissing = Boolean.TRUE.equals(conf.get(Config.TOPOLOGY_SKIP_MISSING_KRYO_REGISTRATIONS));
        ClassLoader loader = kryo.getClassLoader();
        ((Map<?, ?>) Objects.requireNonNull(conf.get(REGISTER))).forEach((type, serializer) -> {
            try {
                Class<?> its = Class.forName((String) type, true, loader);
                if (serializer == null) {
                    kryo.register(its);
                } else {
                    kryo.register(its, made(kryo, its, Class.forName((String) serializer, true, loader), conf));
                }
            } catch (ClassNotFoundException e) {
                if (!skipsMissing) {
                    throw new IllegalStateException(
                            Config.TOPOLOGY_KRYO_REGISTER + " names the class " + e.getMessage()
                                    + ", which is not on the class path",
                            e);
                }
            }
        });
        super.postRegister(kryo, conf);
    }

    /** By whichever of its constructors Storm calls. */
    private static Serializer<?> made(Kryo kryo, Class<?> type, Class<?> serializer, Map<String, Object> conf) {
        try {
            Method storms = SerializationFactory.class.getDeclaredMethod(
                    "resolveSerializerInstance", Kryo.class, Class.class, Class.class, Map.class);
            storms.setAccessible(true);
            return (Serializer<?>) storms.invoke(null, kryo, type, serializer, conf);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(String.valueOf(e.getCause()), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a SerializationFactory is not as that of Storm 2.8", e);
        }
    }

    /** Finds classes by a loader. */
    private static final class Loading extends KryoSerializableDefault {
        Loading(ClassLoader loader) {
            setClassLoader(loader);
        }

        @Override
        @SuppressWarnings("rawtypes") // as Kryo has it
        public Serializer<?> getDefaultSerializer(Class type) {
            Serializer<?> storms = super.getDefaultSerializer(type);
            return storms instanceof SerializableSerializer ? new Loaded() : storms;
        }
    }

    /** Java serialization, in the form that Storm writes. */
    private static final class Loaded extends SerializableSerializer {
        @Override
        @SuppressWarnings("rawtypes") // as Storm has it
        public Object read(Kryo kryo, Input input, Class type) {
            byte[] bytes = input.readBytes(input.readInt());
            try (ObjectInputStream in =
                    new ClassLoaderObjectInputStream(kryo.getClassLoader(), new ByteArrayInputStream(bytes))) {
                return in.readObject();
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalStateException("a value of a tuple that is kept as state cannot be read: " + e, e);
            }
        }
    }
}
