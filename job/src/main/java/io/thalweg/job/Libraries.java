// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Libraries, such as those that a job's file declares in lines of the form {@code //DEPS group:artifact:version}, as JBang reads them.
 * Maven resolves them, with the user's settings; the answer is kept until the declaration changes or a jar does.
 */
public final class Libraries {
    private static final Pattern DECLARATION = Pattern.compile("//DEPS\\s+(.*)");
    private static final Pattern COORDINATES = Pattern.compile("([\\w.-]+):([\\w.-]+):([\\w.+-]+)(?::([\\w.-]+))?");
    private static final String OWN_GROUP = "io.thalweg";
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath";

    private final String file;
    private final String needs;
    private final List<String> declared;
    private final @Nullable Path cache;
    private final Consumer<String> progress;

    /**
     * @param file whose libraries they are, for messages
     * @param needs what it does with them, for a message that Maven is missing
     * @param declared each as group:artifact:version
     * @param cache where the answer is kept; null to ask Maven each time
     * @param progress is told before Maven is asked, which may take a while
     */
    public Libraries(
            String file, String needs, List<String> declared, @Nullable Path cache, Consumer<String> progress) {
        this.file = file;
        this.needs = needs;
        this.declared = declared;
        this.cache = cache;
        this.progress = progress;
    }

    /**
     * Those that a job's file declares.
     *
     * @param cache as there
     * @param progress as there
     */
    static Libraries declaredBy(Path file, @Nullable Path cache, Consumer<String> progress) {
        return new Libraries(file.toString(), "declares libraries with //DEPS", declared(file), cache, progress);
    }

    /**
     * Their jars, and those of what they need in turn; Thalweg's own are left out, since the job has them.
     *
     * @throws JobException if they cannot be resolved
     */
    public List<Path> resolve() {
        if (declared.isEmpty()) {
            return List.of();
        }
        List<Path> kept = cache == null ? null : kept(cache.resolve(name(declared)), declared);
        if (kept != null) {
            return kept;
        }
        progress.accept("resolving " + String.join(", ", declared) + " with Maven ...");
        List<Path> jars = ask();
        if (cache != null && declared.stream().noneMatch(each -> each.contains("-SNAPSHOT"))) {
            keep(cache, declared, jars);
        }
        return jars;
    }

    private static List<String> declared(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of(); // a pipe can be read once, and the compiler does
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // the compiler says what is wrong with the file
        }
        List<String> declared = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher line = DECLARATION.matcher(lines.get(i));
            if (line.matches()) {
                String text = line.group(1).replaceAll("\\s//.*", "").strip();
                for (String each : text.split("[,;\\s]+")) {
                    if (!COORDINATES.matcher(each).matches()) {
                        throw new JobException(file + ", line " + (i + 1) + ": //DEPS takes group:artifact:version, or"
                                + " group:artifact:version:classifier, not '" + each + "'");
                    }
                    if (!each.startsWith(OWN_GROUP + ":") && !declared.contains(each)) {
                        declared.add(each);
                    }
                }
            } else if (lines.get(i).startsWith("//REPOS ")) {
                throw new JobException(file + ", line " + (i + 1)
                        + ": //REPOS is not read; name the repository in Maven's settings.xml");
            }
        }
        return declared;
    }

    // ---- Maven

    private List<Path> ask() {
        try {
            Path folder = Files.createTempDirectory("thalweg-libraries");
            try {
                return ask(folder);
            } finally {
                for (String name : List.of("pom.xml", "jars", "messages")) {
                    Files.deleteIfExists(folder.resolve(name));
                }
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new JobException("the libraries of " + file + " cannot be resolved: " + e.getMessage(), "", e);
        }
    }

    private List<Path> ask(Path folder) throws IOException {
        Path pom = Files.writeString(folder.resolve("pom.xml"), pom(declared));
        Path jars = folder.resolve("jars");
        Path messages = folder.resolve("messages");
        // -U: what could not be found before may be there by now
        ProcessBuilder maven = new ProcessBuilder(
                        maven(),
                        "-B",
                        "-q",
                        "-U",
                        "-f",
                        pom.toString(),
                        GOAL,
                        "-DincludeScope=runtime",
                        "-DexcludeGroupIds=" + OWN_GROUP,
                        "-Dmdep.outputFile=" + jars)
                .redirectErrorStream(true)
                .redirectOutput(messages.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = maven.start();
        try {
            process.getOutputStream().close();
            if (process.waitFor() != 0 || !Files.exists(jars)) {
                throw new JobException("the libraries of " + file + " cannot be resolved: " + reason(messages));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new JobException("interrupted while Maven resolved the libraries of " + file, "", e);
        }
        return Arrays.stream(Files.readString(jars).strip().split(Pattern.quote(File.pathSeparator)))
                .filter(jar -> !jar.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** The wrapper of the clone that Thalweg runs from, or else the {@code mvn} that a shell would find. */
    private String maven() {
        String home = System.getProperty("thalweg.home");
        boolean windows = File.separatorChar == '\\';
        if (home != null) {
            Path wrapper = Path.of(home, windows ? "mvnw.cmd" : "mvnw");
            if (Files.isExecutable(wrapper)) {
                return wrapper.toString();
            }
        }
        String path = String.valueOf(System.getenv("PATH"));
        for (String each : path.split(Pattern.quote(File.pathSeparator))) {
            Path found = Path.of(each.isEmpty() ? "." : each, windows ? "mvn.cmd" : "mvn");
            if (Files.isExecutable(found)) {
                return found.toString();
            }
        }
        throw new JobException(
                file + " " + needs + ", and Maven, which resolves them, is not on the PATH; install it, or"
                        + " pack the job and its libraries into one jar");
    }

    private static String pom(List<String> declared) {
        StringBuilder pom = new StringBuilder("<project><modelVersion>4.0.0</modelVersion>"
                + "<groupId>job</groupId><artifactId>libraries</artifactId><version>1</version><dependencies>");
        for (String each : declared) {
            Matcher parts = COORDINATES.matcher(each);
            if (parts.matches()) {
                pom.append("<dependency><groupId>").append(parts.group(1));
                pom.append("</groupId><artifactId>").append(parts.group(2));
                pom.append("</artifactId><version>").append(parts.group(3)).append("</version>");
                if (parts.group(4) != null) {
                    pom.append("<classifier>").append(parts.group(4)).append("</classifier>");
                }
                pom.append("</dependency>");
            }
        }
        return pom.append("</dependencies></project>").toString();
    }

    /** What Maven says is missing, without where its own manual tells more. */
    private static String reason(Path messages) throws IOException {
        List<String> errors = Files.readAllLines(messages).stream()
                .filter(line -> line.startsWith("[ERROR] "))
                .map(line -> line.substring("[ERROR] ".length()).strip())
                .filter(line -> !line.isEmpty())
                .toList();
        return errors.stream()
                .filter(line ->
                        line.contains("Could not find artifact") || line.contains("Could not transfer artifact"))
                .map(line -> line.replaceAll("^.*?(Could not (find|transfer) artifact)", "$1")
                        .replaceAll("( -> )?\\[Help 1\\]", "")
                        .strip())
                .findFirst()
                .or(() -> errors.stream().findFirst())
                .orElse("Maven gives no reason");
    }

    // ---- what was resolved before

    private static String name(List<String> declared) {
        CRC32 sum = new CRC32();
        String text = String.join("\n", declared);
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x%08x.libraries", text.hashCode(), sum.getValue());
    }

    private static String state(Path jar) {
        try {
            return jar + " " + Files.size(jar) + " "
                    + Files.getLastModifiedTime(jar).toMillis();
        } catch (IOException e) {
            return jar + " is gone";
        }
    }

    private static String entry(List<String> declared, List<Path> jars) {
        return String.join("\n", declared) + "\n\n"
                + jars.stream().map(Libraries::state).collect(Collectors.joining("\n")) + "\n";
    }

    /** Null if they have to be resolved again. */
    private static @Nullable List<Path> kept(Path entry, List<String> declared) {
        try {
            String text = Files.readString(entry);
            List<Path> jars = text.lines()
                    .skip(declared.size() + 1L)
                    .map(line -> Path.of(line.replaceAll(" \\d+ \\d+$", "")))
                    .toList();
            return text.equals(entry(declared, jars)) ? jars : null;
        } catch (IOException | RuntimeException e) {
            return null; // absent or damaged
        }
    }

    private static void keep(Path cache, List<String> declared, List<Path> jars) {
        try {
            Path entry = CompileCache.ownFolder(cache).resolve(name(declared));
            Path written = Files.createTempFile(cache, "new", ".tmp");
            try {
                Files.writeString(written, entry(declared, jars));
                Files.move(written, entry, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException | SecurityException e) {
            return; // it is resolved again next time
        }
    }
}
