// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks.compiler;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;
import java.lang.reflect.InvocationTargetException;

/**
 * Error Prone, whose classes are loaded once for all modules. javac makes a class loader for its plugins in each call: with Error Prone
 * on the path of processors, its thousands of classes would be loaded, linked and compiled again for the main code and for the tests of
 * each module. This class alone is loaded so. What it calls is a dependency of the compiler plugin, whose class loader Maven keeps.
 */
public final class LoadedOnce implements Plugin {
    @Override
    public String getName() {
        return "ErrorProne";
    }

    @Override
    public void init(JavacTask task, String... options) {
        try {
            Class.forName(Checks.class.getName(), true, Thread.currentThread().getContextClassLoader())
                    .getMethod("addTo", JavacTask.class, String[].class)
                    .invoke(null, task, options);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Error Prone cannot be added to javac: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Error Prone is no dependency of what calls javac; compile with ./mvnw, as the pom.xml says", e);
        }
    }
}
