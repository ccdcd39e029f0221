// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The options of Flink that a cell names as {@code flink.KEY}. Flink itself takes any name, and ignores those it does not know. */
final class KnownOptions {
    private KnownOptions() {}

    /** @throws RefusedException if Flink declares no option of such a name, or not such a value */
    static Map<String, String> of(Cell cell) throws Exception {
        Map<String, String> options = cell.options("flink");
        if (options.isEmpty()) {
            return options;
        }
        Map<String, ConfigOption<?>> known = all();
        for (Map.Entry<String, String> each : options.entrySet()) {
            ConfigOption<?> option = known.get(each.getKey());
            if (option == null) {
                throw new RefusedException("Flink has no option " + each.getKey() + nearest(each.getKey(), known));
            }
            Configuration alone = new Configuration();
            alone.setString(each.getKey(), each.getValue());
            try {
                alone.getOptional(option);
            } catch (IllegalArgumentException e) {
                throw new RefusedException("Flink's " + each.getKey() + " cannot be " + each.getValue());
            }
        }
        return options;
    }

    private static String nearest(String key, Map<String, ConfigOption<?>> known) {
        String last = key.substring(key.lastIndexOf('.') + 1);
        TreeSet<String> alike = new TreeSet<>();
        known.keySet().stream().filter(each -> each.endsWith("." + last)).forEach(alike::add);
        return alike.isEmpty() ? "" : "; did you mean " + alike.first() + "?";
    }

    /** Every option that a class of Flink's own declares, by its key and those that it had before. */
    private static Map<String, ConfigOption<?>> all() throws IOException, ReflectiveOperationException {
        Map<String, ConfigOption<?>> all = new TreeMap<>();
        for (Class<?> each : List.of(Configuration.class, MiniCluster.class, StreamExecutionEnvironment.class)) {
            try (JarFile jar = new JarFile(new File(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
                List<String> names = jar.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith("Options.class") && !name.contains("$"))
                        .toList();
                for (String name : names) {
                    try {
                        add(Class.forName(name.replace('/', '.').replaceFirst("\\.class$", "")), all);
                    } catch (LinkageError e) {
                        // of a part of Flink that is not here
                    }
                }
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        return all;
    }

    private static void add(Class<?> declaring, Map<String, ConfigOption<?>> all) throws IllegalAccessException {
        for (Field field : declaring.getFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && field.getType() == ConfigOption.class
                    && field.get(null) instanceof ConfigOption<?> option) {
                all.put(option.key(), option);
                for (FallbackKey former : option.fallbackKeys()) {
                    all.putIfAbsent(former.getKey(), option);
                }
            }
        }
    }
}
