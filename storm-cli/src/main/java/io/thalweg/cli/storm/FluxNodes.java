// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A text of Flux as the nodes of its YAML: in them is what Flux takes no notice of, such as the first of two bolts with one id. */
final class FluxNodes {
    private static final Set<String> WITH_IDS = Set.of("components", "spouts", "bolts");
    private static final Set<String> LISTS = Set.of("includes", "components", "spouts", "bolts", "streams");

    /** Key of another mapping whose content belongs to this one. */
    private static final String MERGE = "<<";

    private final FluxClasses flux;
    private final FluxText text;

    private FluxNodes(FluxClasses flux, FluxText text) {
        this.flux = flux;
        this.text = text;
    }

    /**
     * Refuses names and ids that are given twice, and lists or elements of lists in which there is nothing.
     *
     * @param root null if it cannot be read, which Flux will say
     */
    static void check(FluxClasses flux, FluxText text, @Nullable Object root) {
        if (root != null) {
            FluxNodes nodes = new FluxNodes(flux, text);
            nodes.checkNames(root);
            nodes.entries(root).forEach(nodes::checkList);
        }
    }

    /** In all mappings. An alias is the node that it stands for. */
    private void checkNames(Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            Object node = open.pop();
            if (seen.add(node)) {
                entries(node).values().forEach(open::push);
                elements(node).forEach(open::push);
            }
        }
    }

    private void checkList(String key, Object list) {
        if (!LISTS.contains(key)) {
            return;
        }
        if (isNothing(list)) {
            throw new UsageException(where(list) + ": " + key + " is empty; leave it out");
        }
        Set<String> ids = new HashSet<>();
        for (Object each : elements(list)) {
            if (isNothing(each)) {
                throw new UsageException(where(each) + ": an element of " + key + " is empty; leave it out");
            }
            Object id = WITH_IDS.contains(key) ? entries(each).get("id") : null;
            if (id != null && !ids.add(scalar(id))) {
                throw new UsageException(where(id) + ": two " + key + " have the id '" + scalar(id)
                        + "', and Flux would run the last one alone; give one another id");
            }
        }
    }

    /** Of a mapping, by their keys; empty of anything else. */
    private Map<String, Object> entries(Object node) {
        Map<String, Object> entries = new LinkedHashMap<>();
        if (is(node, "mapping")) {
            for (Object each : flux.list(node, "getValue")) {
                Object key = value(each, "getKeyNode");
                String name = scalar(key);
                if (entries.put(name, value(each, "getValueNode")) != null && !name.equals(MERGE)) {
                    throw new UsageException(where(key) + ": " + name
                            + " is given twice, and Flux would take the last one alone; leave one out");
                }
            }
        }
        return entries;
    }

    /** Of a list; empty of anything else. */
    private List<Object> elements(Object node) {
        return is(node, "sequence") ? new ArrayList<>(flux.list(node, "getValue")) : List.of();
    }

    private boolean is(Object node, String kind) {
        return value(node, "getNodeId").toString().equals(kind);
    }

    private boolean isNothing(Object node) {
        return value(node, "getTag").toString().equals("tag:yaml.org,2002:null");
    }

    /** What a node of text says; of others something that no two of them have. */
    private String scalar(Object node) {
        return is(node, "scalar") ? value(node, "getValue").toString() : "\0" + System.identityHashCode(node);
    }

    private String where(Object node) {
        return text.where((int) value(value(node, "getStartMark"), "getLine") + 1);
    }

    private Object value(Object of, String getter) {
        Object value = flux.get(of, getter);
        if (value == null) {
            throw new IllegalStateException(getter + " of SnakeYAML gives nothing");
        }
        return value;
    }
}
