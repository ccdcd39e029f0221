// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.ByteInput;
import io.thalweg.run.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code thalweg new DIR}: a Maven project with a job and its test, from the templates in this jar. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = {
            "Creates a Maven project with a job and a test of it.",
            "The name of the directory becomes the name of the project."
        },
        footer = {"", "Exit codes: 0 created, 1 the disk is full, 2 the directory cannot be used."})
final class NewCommand implements Callable<Integer> {
    private static final String NAME = "__NAME__";

    /** What Maven takes as an artifact's name, and no shell as an option. */
    private static final Pattern POSSIBLE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");

    private static final Map<String, String> FILES = files();

    @Parameters(paramLabel = "DIR", description = "the project's directory: a new one, or an empty one")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        try {
            create();
            return ExitCodes.DONE;
        } catch (FileSystemException e) {
            return Failures.report(new UsageException("cannot write " + e.getFile() + reason(e)));
        } catch (IOException | RuntimeException e) {
            return Failures.report(e);
        }
    }

    private void create() throws IOException {
        Path file = directory.toAbsolutePath().normalize().getFileName();
        String name = directory.toString().isEmpty() ? "" : file == null ? "/" : file.toString();
        if (!POSSIBLE.matcher(name).matches()) {
            throw new UsageException("a project cannot be called '" + name
                    + "'; take letters, digits, '.', '_' and '-', and begin with a letter, a digit or '_'");
        }
        if (Files.isDirectory(directory)) {
            try (Stream<Path> there = Files.list(directory)) {
                if (there.findAny().isPresent()) {
                    throw new UsageException(directory + " is not empty; name a new or an empty directory");
                }
            }
        } else if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new UsageException(directory + " exists and is no directory; name a new or an empty directory");
        }
        for (Map.Entry<String, String> each : FILES.entrySet()) {
            write(each.getKey(), directory.resolve(each.getValue()), name);
        }
        System.out.println(PlainText.line("Created " + directory + ". Its README.md says how to build and run it."));
    }

    private static void write(String template, Path file, String name) throws IOException {
        try (InputStream in = NewCommand.class.getResourceAsStream("project/" + template)) {
            if (in == null) {
                throw new IOException("the template " + template + " is missing from Thalweg's jar");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.writeString(file, text.replace(NAME, name));
            } catch (FileSystemException e) {
                throw e;
            } catch (IOException e) { // which does not say what it is about
                throw new ConnectorException("cannot write " + file + ": " + ByteInput.reason(e), e);
            }
        }
        if (template.equals("mvnw") && !file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    private static String reason(FileSystemException failure) {
        if (failure instanceof AccessDeniedException) {
            return ": permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return ": it exists and is no directory";
        }
        return failure.getReason() == null ? "" : ": " + failure.getReason();
    }

    /** Templates, and where they go. */
    private static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("pom.xml", "pom.xml");
        files.put("README.md", "README.md");
        files.put("gitignore", ".gitignore");
        files.put("words.txt", "words.txt");
        files.put("WordCount.java", "src/main/java/com/example/WordCount.java");
        files.put("Main.java", "src/main/java/com/example/Main.java");
        files.put("WordCountTest.java", "src/test/java/com/example/WordCountTest.java");
        files.put("mvnw", "mvnw");
        files.put("mvnw.cmd", "mvnw.cmd");
        files.put("maven-wrapper.properties", ".mvn/wrapper/maven-wrapper.properties");
        return files;
    }
}
