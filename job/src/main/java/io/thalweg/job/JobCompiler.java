// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a job's file, and what it uses of the sources beside it, in memory. */
final class JobCompiler {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

    private JobCompiler() {}

    /** @param libraries that the job may use beside Thalweg, and which count where both have a class */
    static CompiledJob compile(Path file, List<Path> libraries) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new JobException("compiling " + file + " needs a JDK, but " + System.getProperty("java.home")
                    + " is a runtime without a compiler; set JAVA_HOME to a JDK, 17 or newer");
        }
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                SourceFiles files = new SourceFiles(standard, file)) {
            JavaFileObject job = files.job();
            List<String> options = List.of(
                    "-parameters",
                    "-g",
                    "-proc:none",
                    "-implicit:class",
                    "-Xlint:none",
                    "-classpath",
                    classPath(libraries),
                    "-sourcepath",
                    sourceRoot(file, job.getCharContent(true)).toString());
            boolean done = compiler.getTask(messages, files, null, options, null, List.of(job))
                    .call();
            if (!done) {
                throw new JobException(file + " does not compile", messages.toString(), null);
            }
            return files.compiled();
        } catch (IOException | UncheckedIOException e) {
            throw new JobException(file + " cannot be compiled: " + e.getMessage(), "", e);
        }
    }

    private static String classPath(List<Path> libraries) {
        StringBuilder path = new StringBuilder();
        libraries.forEach(jar -> path.append(jar).append(File.pathSeparatorChar));
        return path.append(System.getProperty("java.class.path")).toString();
    }

    /** The folder in which the package of the source begins: its own where it declares none. */
    private static Path sourceRoot(Path file, CharSequence source) {
        Path folder = folder(file);
        Matcher declared = PACKAGE.matcher(source);
        if (!declared.find()) {
            return folder;
        }
        Path inside = Path.of(declared.group(1).replace('.', '/'));
        Path root = folder.toAbsolutePath().normalize();
        for (int i = inside.getNameCount() - 1; i >= 0; i--) {
            if (root == null || root.getFileName() == null || !root.endsWith(inside.getName(i))) {
                return folder;
            }
            root = root.getParent();
        }
        return root == null ? folder : root;
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        return folder == null ? Path.of(".") : folder;
    }
}
