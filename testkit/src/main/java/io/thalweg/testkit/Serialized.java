// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

/** Serializes and deserializes sources, sinks and topologies, as happens on their way to another machine. */
public final class Serialized {
    private Serialized() {}

    /**
     * A copy by Java serialization.
     *
     * @param what names the object in messages
     * @throws IllegalStateException if it cannot be serialized
     */
    @SuppressWarnings("unchecked") // the object has the class of the original
    public static <T extends Serializable> T copyOf(T object, String what) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new IllegalStateException(what + " cannot be serialized: " + e, e);
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try (ObjectInputStream in = new LoadedInput(new ByteArrayInputStream(bytes.toByteArray()), loader)) {
            return (T) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(what + " cannot be read again: " + e, e);
        }
    }

    /** Also finds classes of a job that were loaded by another class loader. */
    private static final class LoadedInput extends ObjectInputStream {
        private final ClassLoader loader;

        LoadedInput(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return super.resolveClass(description);
            } catch (ClassNotFoundException e) {
                return Class.forName(description.getName(), false, loader);
            }
        }
    }
}
