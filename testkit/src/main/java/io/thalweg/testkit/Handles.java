// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connects an object of a test with its copies in a running job, which may have been deserialized: both have the same
 * id. Entries are removed when the test no longer references its object.
 */
final class Handles {
    private static final Map<String, WeakReference<Object>> BY_ID = new ConcurrentHashMap<>();

    private Handles() {}

    static String register(Object held) {
        BY_ID.values().removeIf(reference -> reference.get() == null);
        String id = UUID.randomUUID().toString();
        BY_ID.put(id, new WeakReference<>(held));
        return id;
    }

    static <C> C find(String id, Class<C> type, String what) {
        WeakReference<Object> reference = BY_ID.get(id);
        Object held = reference == null ? null : reference.get();
        if (held == null) {
            throw new IllegalStateException(what
                    + " is not held by a test in this JVM any more; keep it in a variable until the run has ended");
        }
        return type.cast(held);
    }
}
