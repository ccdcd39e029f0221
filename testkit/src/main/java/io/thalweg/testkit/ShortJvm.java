// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * JVMs that tests start for a second or two, of which most goes into loading classes: they map them from an archive, as the launcher
 * of the command line does. It is made at the first start and goes with this JVM. Java archives classes of jars alone, so the folders
 * of the class path are packed for it. A file {@code class-path} beside such a folder is put beside its jar: the trial broker finds its
 * own classes by it.
 *
 * <pre>{@code
 * private static final ShortJvm JVM = ShortJvm.of(System.getProperty("java.class.path"), "com.example.Typical");
 * …
 * List<String> command = new ArrayList<>(JVM.options());
 * command.addAll(List.of("-cp", JVM.classPath(), "com.example.Main"));
 * }</pre>
 */
public final class ShortJvm {
    private static final int LIMIT_MINUTES = 10;
    private static final String CLASS_PATH = "class-path";

    private final List<String> options;
    private final String classPath;

    private ShortJvm(List<String> options, String classPath) {
        this.options = options;
        this.classPath = classPath;
    }

    /**
     * Makes the archive.
     *
     * @param classPath of folders and jars; what is not there is left out
     * @param command a class with its arguments; the archive has the classes that are loaded while it runs
     * @throws IllegalStateException if it fails
     */
    public static ShortJvm of(String classPath, String... command) {
        try {
            Path folder = FoldersInMemory.createUntilExit();
            List<String> entries = new ArrayList<>();
            for (String entry : classPath.split(File.pathSeparator)) {
                Path path = Path.of(entry);
                if (Files.isDirectory(path)) {
                    entries.add(pack(path, folder.resolve(entries.size() + ".jar")));
                    Path list = path.resolveSibling(CLASS_PATH);
                    if (Files.exists(list)) {
                        Files.copy(list, folder.resolve(CLASS_PATH));
                    }
                } else if (Files.exists(path)) {
                    entries.add(entry);
                }
            }
            String packed = String.join(File.pathSeparator, entries);
            Path archive = folder.resolve("classes.jsa");
            List<String> options = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1", // they are over before more would pay
                    "-XX:+UseSerialGC"));
            fill(folder, archive, options, packed, command);
            options.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off"));
            return new ShortJvm(List.copyOf(options), packed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fill(Path folder, Path archive, List<String> options, String classPath, String... command)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath));
        all.addAll(List.of(command));
        Path said = folder.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        for (String place : List.of("XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")) {
            builder.environment().put(place, folder.toString());
        }
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || !Files.exists(archive)) {
                throw new IllegalStateException("no classes were archived: " + Files.readString(said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Without compression, which would only take time. */
    private static String pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            zip.setMethod(ZipOutputStream.STORED);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                CRC32 checksum = new CRC32();
                checksum.update(bytes);
                ZipEntry entry =
                        new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/'));
                entry.setSize(bytes.length);
                entry.setCrc(checksum.getValue());
                zip.putNextEntry(entry);
                zip.write(bytes);
            }
        }
        return jar.toString();
    }

    /** The program {@code java} and its options, without the class path. */
    public List<String> options() {
        return options;
    }

    /** The class path, of jars alone; others may follow behind it. */
    public String classPath() {
        return classPath;
    }
}
