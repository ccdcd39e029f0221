// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks.compiler;

import com.google.errorprone.BaseErrorProneJavaCompiler;
import com.google.errorprone.ErrorProneAnalyzer;
import com.google.errorprone.ErrorProneOptions;
import com.google.errorprone.scanner.BuiltInCheckerSuppliers;
import com.google.errorprone.scanner.ScannerSupplier;
import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.util.Context;
import com.uber.nullaway.NullAway;

/** Error Prone's own checks and NullAway, which it would look for on the path of processors. */
public final class Checks {
    private Checks() {}

    public static void addTo(JavacTask task, String... options) {
        Context context = ((BasicJavacTask) task).getContext();
        BaseErrorProneJavaCompiler.setupMessageBundle(context);
        ScannerSupplier checks =
                BuiltInCheckerSuppliers.defaultChecks().plus(ScannerSupplier.fromBugCheckerClasses(NullAway.class));
        task.addTaskListener(
                ErrorProneAnalyzer.createByScanningForPlugins(checks, ErrorProneOptions.processArgs(options), context));
    }
}
