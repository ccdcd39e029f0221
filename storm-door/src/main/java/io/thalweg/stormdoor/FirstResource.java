// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.apache.storm.utils.Utils;

/**
 * Finds one resource of a name. A cluster may have Storm on its own class path, beside the one that a job brings; Storm finds its defaults
 * twice then, and does not start.
 */
final class FirstResource extends ClassLoader {
    private FirstResource(ClassLoader parent) {
        super(parent);
    }

    /** Lets Storm read its defaults, which it does once, when its class is initialized. */
    static void readDefaults(ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new FirstResource(loader));
        try {
            Utils.readStormConfig();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        URL first = getResource(name);
        return Collections.enumeration(first == null ? List.of() : List.of(first));
    }
}
