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
import org.apache.storm.serialization.IKryoDecorator;
import org.apache.storm.serialization.IKryoFactory;
import org.apache.storm.serialization.SerializableSerializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.shade.org.apache.commons.io.input.ClassLoaderObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Kryo of the tuples that a window keeps as state: what the topology's conf asks for, but that the classes that it names may be
 * those of the topology's jar, as may those that Storm's default reads by Java serialization. Storm makes it by its name.
 */
public final class TupleKryoFactory implements IKryoFactory {
    private static final String LOADER = "thalweg.kryo.loader";
    private static final String ASKED = "thalweg.kryo.conf";

    /** The topology's own, or Storm's default. */
    private IKryoFactory theirs = new DefaultKryoFactory();

    /** A conf by which Storm makes its Kryo here; Storm would look for the classes that it names beside its own. */
    static Map<String, Object> used(Map<String, Object> conf, ClassLoader loader) {
        Map<String, Object> its = new HashMap<>(conf);
        its.remove(Config.TOPOLOGY_KRYO_REGISTER);
        its.remove(Config.TOPOLOGY_KRYO_DECORATORS);
        its.put(Config.TOPOLOGY_KRYO_FACTORY, TupleKryoFactory.class.getName());
        its.put(LOADER, loader);
        its.put(ASKED, conf);
        return its;
    }

    @SuppressWarnings("unchecked") // as it was put there
    private static Map<String, Object> asked(Map<String, Object> conf) {
        return (Map<String, Object>) Objects.requireNonNull(conf.get(ASKED));
    }

    private static ClassLoader loader(Map<String, Object> conf) {
        return (ClassLoader) Objects.requireNonNull(conf.get(LOADER));
    }

    @Override
    public Kryo getKryo(Map<String, Object> conf) {
        Map<String, Object> asked = asked(conf);
        ClassLoader loader = loader(conf);
        String name = String.valueOf(asked.get(Config.TOPOLOGY_KRYO_FACTORY));
        if (!name.equals(DefaultKryoFactory.class.getName())) {
            try {
                theirs = made(IKryoFactory.class, name, loader, Config.TOPOLOGY_KRYO_FACTORY);
            } catch (ClassNotFoundException e) {
                throw missing(Config.TOPOLOGY_KRYO_FACTORY, e);
            }
        }
        Kryo kryo = theirs.getKryo(asked);
        kryo.setClassLoader(loader);
        return isStorms(kryo) ? new Loading(kryo) : kryo;
    }

    /** That of Storm's default factory, also within one of the topology's own, with nothing registered yet. */
    private static boolean isStorms(Kryo kryo) {
        return kryo.getClass() == DefaultKryoFactory.KryoSerializableDefault.class
                && kryo.getNextRegistrationId() == new Kryo().getNextRegistrationId();
    }

    @Override
    public void preRegister(Kryo kryo, Map<String, Object> conf) {
        theirs.preRegister(kryo, asked(conf));
    }

    /** What Storm does before and after this call, where the conf asks for it. */
    @Override
    public void postRegister(Kryo kryo, Map<String, Object> conf) {
        Map<String, Object> asked = asked(conf);
        ClassLoader loader = loader(conf);
        boolean skipsMissing = Boolean.TRUE.equals(asked.get(Config.TOPOLOGY_SKIP_MISSING_KRYO_REGISTRATIONS));
        registered(asked.get(Config.TOPOLOGY_KRYO_REGISTER)).forEach((type, serializer) -> {
            try {
                Class<?> its = Class.forName(type, true, loader);
                if (serializer == null) {
                    kryo.register(its);
                } else {
                    kryo.register(its, serializer(kryo, its, Class.forName(serializer, true, loader), asked));
                }
            } catch (ClassNotFoundException e) {
                if (!skipsMissing) {
                    throw missing(Config.TOPOLOGY_KRYO_REGISTER, e);
                }
            }
        });
        theirs.postRegister(kryo, asked);
        for (Object each :
                asked.get(Config.TOPOLOGY_KRYO_DECORATORS) instanceof List<?> several ? several : List.of()) {
            try {
                made(IKryoDecorator.class, String.valueOf(each), loader, Config.TOPOLOGY_KRYO_DECORATORS)
                        .decorate(kryo);
            } catch (ClassNotFoundException e) {
                if (!skipsMissing) {
                    throw missing(Config.TOPOLOGY_KRYO_DECORATORS, e);
                }
            }
        }
    }

    @Override
    public void postDecorate(Kryo kryo, Map<String, Object> conf) {
        theirs.postDecorate(kryo, asked(conf));
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

    private static <T> T made(Class<T> kind, String name, ClassLoader loader, String option)
            throws ClassNotFoundException {
        try {
            return Class.forName(name, true, loader)
                    .asSubclass(kind)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(option + " names " + name + ", which cannot be made: " + e, e);
        }
    }

    private static IllegalStateException missing(String option, ClassNotFoundException e) {
        return new IllegalStateException(
                option + " names the class " + e.getMessage() + ", which is not on the class path", e);
    }

    /** By whichever of its constructors Storm calls. */
    private static Serializer<?> serializer(Kryo kryo, Class<?> type, Class<?> serializer, Map<String, Object> conf) {
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

    /** Finds classes by a loader, also those that are read by Java serialization. */
    private static final class Loading extends DefaultKryoFactory.KryoSerializableDefault {
        Loading(Kryo storms) {
            setClassLoader(storms.getClassLoader());
            setRegistrationRequired(storms.isRegistrationRequired());
            setReferences(storms.getReferences());
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
