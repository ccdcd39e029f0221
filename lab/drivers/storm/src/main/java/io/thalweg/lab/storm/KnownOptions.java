// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.stormdoor.StormDoor;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;

/** The options of Storm that a cell names as {@code storm.KEY}. Storm itself takes any name, and ignores those it does not know. */
final class KnownOptions {
    private KnownOptions() {}

    /** @throws RefusedException if neither Storm nor, where it runs the cell, Thalweg's front end has an option of such a name */
    static Map<String, Object> of(Cell cell) throws RefusedException, IllegalAccessException {
        Map<String, Object> options = new HashMap<>();
        Set<String> known = new HashSet<>();
        for (Field field : Config.class.getFields()) {
            if (field.getType() == String.class && field.get(null) instanceof String name) {
                known.add(name);
            }
        }
        if (cell.variant().equals("storm-door")) {
            known.add(StormDoor.SHARED_THREADS);
        }
        for (Map.Entry<String, String> each : cell.options("storm").entrySet()) {
            if (!known.contains(each.getKey())) {
                throw new RefusedException("Storm has no option " + each.getKey());
            }
            options.put(each.getKey(), value(each.getValue()));
        }
        return options;
    }

    /** A number if the text is one, because Storm refuses texts for numeric options. */
    private static Object value(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        if (text.matches("-?\\d+\\.\\d+")) {
            return Double.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }
}
