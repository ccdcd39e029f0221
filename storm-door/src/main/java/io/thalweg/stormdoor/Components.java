// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.storm.Thrift;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.ShellComponent;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.ShellBolt;

/** Makes the instance of each task. */
final class Components {
    private Components() {}

    /** A new instance each time. */
    static Object made(Layout layout, Layout.Component component, ClassLoader loader) {
        ComponentObject object = component.object();
        if (object.is_set_serialized_java()) { // a switch over the union's fields is more than our checks can read
            return deserialized(layout, component, object.get_serialized_java(), loader);
        }
        return object.is_set_shell()
                ? shell(component, object.get_shell())
                : Thrift.instantiateJavaObject(object.get_java_object());
    }

    static ISpout spout(Layout layout, Layout.Component component, ClassLoader loader) {
        if (made(layout, component, loader) instanceof ISpout spout) {
            return spout;
        }
        throw layout.problem(component.id(), "it is no spout");
    }

    static IBolt bolt(Layout layout, Layout.Component component, ClassLoader loader) {
        if (made(layout, component, loader) instanceof IBolt bolt) {
            return bolt;
        }
        throw layout.problem(component.id(), "it is no bolt");
    }

    /** Whether each instance talks to a process of its own. */
    static boolean hasChild(Layout layout, Layout.Component component, ClassLoader loader) {
        Object made = made(layout, component, loader);
        return made instanceof ShellSpout || made instanceof ShellBolt;
    }

    private static Object shell(Layout.Component component, ShellComponent command) {
        return component.spout() ? new ShellSpout(command) : new ShellBolt(command);
    }

    private static Object deserialized(Layout layout, Layout.Component component, byte[] bytes, ClassLoader loader) {
        try {
            return read(bytes, loader);
        } catch (ClassNotFoundException e) {
            throw layout.problem(component.id(), "its class " + e.getMessage() + " is not on the class path");
        } catch (IOException e) {
            throw layout.problem(component.id(), "it cannot be deserialized: " + e);
        }
    }

    static Object read(byte[] bytes, ClassLoader loader) throws IOException, ClassNotFoundException {
        return read(bytes, loader, type -> {});
    }

    private static Object read(byte[] bytes, ClassLoader loader, Consumer<Class<?>> classes)
            throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new Loaded(new ByteArrayInputStream(bytes), loader, classes)) {
            return in.readObject();
        }
    }

    /** Those that are in the serialized spouts and bolts, without Java's. */
    static Set<Class<?>> classes(Layout layout, ClassLoader loader) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Layout.Component component : layout.components.values()) {
            if (component.object().is_set_serialized_java()) {
                try {
                    read(component.object().get_serialized_java(), loader, all::add);
                } catch (IOException | ClassNotFoundException e) {
                    throw layout.problem(component.id(), "it cannot be deserialized: " + e);
                }
            }
        }
        all.removeIf(type -> type.isArray() || type.getClassLoader() == null);
        return all;
    }

    private static final class Loaded extends ObjectInputStream {
        private final ClassLoader loader;
        private final Consumer<Class<?>> classes;

        Loaded(InputStream in, ClassLoader loader, Consumer<Class<?>> classes) throws IOException {
            super(in);
            this.loader = loader;
            this.classes = classes;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass wanted) throws IOException, ClassNotFoundException {
            try {
                Class<?> type = Class.forName(wanted.getName(), false, loader);
                classes.accept(type);
                return type;
            } catch (ClassNotFoundException e) {
                return super.resolveClass(wanted); // primitives
            }
        }
    }
}
