// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.flink.runtime.jobgraph.JobGraph;

/** The classes that travel with a job: its own, and to a cluster elsewhere Thalweg's runtime besides. */
final class JobJar {
    /** Of this JVM's class path: Thalweg without its command line and its lab, and what that needs to read and write. */
    private static final Pattern RUNTIME = Pattern.compile(
            "(thalweg-(api|engine|flink|files|workloads)-.*|jackson-core-.*|asm-.*|jspecify-.*|HdrHistogram-.*)\\.jar");

    /** What Parquet and Avro need, where the job's class path has them. */
    private static final Pattern COLUMNAR =
            Pattern.compile("(thalweg-columnar-.*|parquet-.*|avro-.*|jackson-databind-.*"
                    + "|jackson-annotations-.*|jts-core-.*|zstd-jni-.*|snappy-java-.*)\\.jar");

    /** What Kafka's client needs, if the job's class path has it. */
    private static final Pattern KAFKA =
            Pattern.compile("(thalweg-kafka-.*|kafka-clients-.*|lz4-java-.*|zstd-jni-.*|snappy-java-.*)\\.jar");

    private static final List<String> PACKAGES = List.of("api", "engine", "flink", "files", "workloads");

    private JobJar() {}

    /** @param elsewhere the cluster does not have this JVM's class path */
    static void attach(JobGraph job, List<Path> code, boolean elsewhere) {
        List<Path> jars = new ArrayList<>(code);
        if (elsewhere) {
            jars.addAll(runtime());
        }
        for (Path jar : jars) {
            job.addJar(new org.apache.flink.core.fs.Path(jar.toAbsolutePath().toUri()));
        }
    }

    private static List<Path> runtime() {
        List<Path> jars = new ArrayList<>();
        String classPath = System.getProperty("java.class.path");
        boolean columnar = classPath.contains("thalweg-columnar-");
        boolean kafka = classPath.contains("thalweg-kafka-");
        for (String entry : classPath.split(Pattern.quote(File.pathSeparator))) {
            Path path = Path.of(entry);
            String name = String.valueOf(path.getFileName());
            boolean classes = Files.isDirectory(path)
                    && PACKAGES.stream()
                            .anyMatch(each ->
                                    Files.isDirectory(path.resolve("io/thalweg").resolve(each)));
            if (classes) {
                jars.add(packed(path));
            } else if (RUNTIME.matcher(name).matches()
                    || (columnar && COLUMNAR.matcher(name).matches())
                    || (kafka && KAFKA.matcher(name).matches())) {
                jars.add(path);
            }
        }
        return jars;
    }

    /** A folder of classes as a jar, which is gone when this JVM ends. */
    private static Path packed(Path folder) {
        try {
            Path jar = Files.createTempFile("thalweg-classes-", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(jar);
                    JarOutputStream into = new JarOutputStream(out);
                    Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    into.putNextEntry(
                            new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                    Files.copy(file, into);
                }
            }
            return jar;
        } catch (IOException e) {
            throw new ConnectorException("the job's classes cannot be packed: " + e.getMessage(), e);
        }
    }
}
