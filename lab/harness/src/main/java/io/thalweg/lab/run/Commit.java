// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which commit of a source tree is measured. */
final class Commit {
    private Commit() {}

    /** Its hash, with {@code +} if there are changes beside it; null where there is no git, or nothing of it. */
    static @Nullable String of(Path home) {
        String hash = git(home, "rev-parse", "--verify", "HEAD");
        if (hash == null || hash.isBlank()) {
            return null;
        }
        String changes = git(home, "status", "--porcelain");
        return hash.strip() + (changes == null || changes.isBlank() ? "" : "+");
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
