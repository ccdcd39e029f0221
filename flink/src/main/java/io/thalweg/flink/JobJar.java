// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.JobLibraries;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.flink.runtime.jobgraph.JobGraph;

/** Attaches the classes that a job needs on the cluster: its own, and for another cluster those of Thalweg's runtime. */
final class JobJar {
    private JobJar() {}

    /** @param elsewhere true if the cluster does not have this JVM's class path */
    static void attach(JobGraph job, TopologyGraph graph, List<Path> code, boolean elsewhere) {
        List<Path> jars = new ArrayList<>(code);
        if (elsewhere) {
            for (Path place : JobLibraries.of(graph, List.of(JobJar.class))) {
                jars.add(Files.isDirectory(place) ? packed(place) : place);
            }
        }
        for (Path jar : jars) {
            job.addJar(new org.apache.flink.core.fs.Path(jar.toAbsolutePath().toUri()));
        }
    }

    /** Packs a folder of classes as a jar, which is deleted when this JVM ends. */
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
