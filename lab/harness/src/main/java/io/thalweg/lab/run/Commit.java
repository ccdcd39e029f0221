// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which state of a source tree is measured. */
final class Commit {
    /** What a build is made of, but for the folders {@code src/main}. */
    private static final Set<String> BUILT =
            Set.of("pom.xml", "part.properties", "driver.yaml", "lib.sha256", "mvnw", "thalweg", "earthquakes.jsonl");

    /** Enough to tell two apart. */
    private static final int DIGITS = 16;

    private Commit() {}

    /**
     * The hash of its commit. If what is built, and what the lab reads of the tree, is not as that commit has it, or there is no git, then
     * {@code +} and the beginning of the SHA-256 of all of that: two states with changes are not the same one.
     *
     * @throws LabException if a file cannot be read
     */
    static String of(Path home) {
        String hash = git(home, "rev-parse", "--verify", "HEAD");
        if (hash == null || hash.isBlank()) {
            return "+" + digest(home);
        }
        return hash.strip() + (isChanged(home) ? "+" + digest(home) : "");
    }

    /** Whether a file of those has been changed, added or deleted. */
    private static boolean isChanged(Path home) {
        String changes = git(home, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", ".");
        if (changes == null) {
            return true; // nobody knows
        }
        String prefix = git(home, "rev-parse", "--show-prefix");
        int above = prefix == null ? 0 : prefix.strip().length();
        for (String line : changes.split("\0")) {
            // XY PATH, from the root of the repository on; somebody's own may have a name that is no path to this JVM
            if (line.length() > 3 + above && isBuilt(line.substring(3 + above))) {
                return true;
            }
        }
        return false;
    }

    /** Those files of the tree, by their paths in it; what a build has made, and tests, are none. */
    private static Set<Path> built(Path home) {
        Set<Path> files = new TreeSet<>();
        try {
            Files.walkFileTree(home, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = String.valueOf(folder.getFileName());
                    boolean skipped = name.equals("target") || (name.startsWith(".") && !name.equals(".mvn"));
                    return skipped && !folder.equals(home) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    Path relative = home.relativize(file);
                    if (isBuilt(relative.toString())) {
                        files.add(relative);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    if (isBuilt(home.relativize(file).toString())) {
                        throw e;
                    }
                    return FileVisitResult.CONTINUE; // somebody's own, or gone by now
                }
            });
        } catch (IOException e) {
            throw unreadable(home, e);
        }
        return files;
    }

    private static boolean isBuilt(String file) {
        String path = "/" + file.replace(File.separatorChar, '/');
        return path.contains("/src/main/")
                || path.startsWith("/.mvn/")
                || (path.startsWith("/lab/drivers/") && path.endsWith(".py"))
                || BUILT.contains(path.substring(path.lastIndexOf('/') + 1));
    }

    private static String digest(Path home) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (Path each : built(home)) {
                byte[] content = Files.readAllBytes(home.resolve(each));
                sha256.update((each + "\0" + content.length + "\0").getBytes(StandardCharsets.UTF_8));
                sha256.update(content);
            }
            return HexFormat.of().formatHex(sha256.digest()).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw unreadable(home, e);
        }
    }

    private static LabException unreadable(Path home, IOException e) {
        return new LabException("the sources in " + home + " cannot be read: " + e.getMessage(), e);
    }

    private static @Nullable String git(Path home, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", home.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
