// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompileCacheTest {
    @TempDir
    Path folder;

    private Path cache;
    private Path job;
    private Path beside;

    @BeforeEach
    void writeJob() throws IOException {
        cache = folder.resolve("cache/jobs");
        beside = Files.writeString(
                folder.resolve("Beside.java"), "class Beside { static String word() { return \"a\"; } }");
        job = Files.writeString(folder.resolve("Job.java"), """
                import io.thalweg.api.topology.*;

                class Job implements TopologyDefinition {
                    public void define(Topology topology, Settings settings) {}

                    @Override
                    public String toString() {
                        return Beside.word();
                    }
                }
                """);
    }

    @Test
    void shouldKeepWhatWasCompiled() throws IOException {
        assertThat(load()).isEqualTo("a");

        CompiledJob kept = new CompileCache(cache).find(CompileCache.key(job, List.of()));

        assertThat(kept).isNotNull();
        assertThat(kept.classes()).extracting(CompiledJob.ClassFile::name).containsExactly("Beside", "Job");
        assertThat(kept.classes()).extracting(CompiledJob.ClassFile::ofJob).containsExactly(false, true);
        assertThat(kept.sources())
                .extracting(CompiledJob.Source::path)
                .containsExactlyInAnyOrder(job.toString(), beside.toString());
        assertThat(load()).isEqualTo("a");
        assertThat(files()).hasSize(1);
    }

    @Test
    void shouldBeReadableByItsOwnerOnly() throws IOException {
        Files.createDirectories(cache); // as an older version made it
        load();

        assertThat(permissions(cache)).isEqualTo("rwx------");
        assertThat(files())
                .hasSize(1)
                .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldCompileAnewWhenASourceChanged() throws IOException {
        load();
        Files.writeString(beside, Files.readString(beside).replace("\"a\"", "\"b\""));

        assertThat(load()).isEqualTo("b");

        Files.writeString(job, Files.readString(job).replace("Beside.word()", "\"c\""));

        assertThat(load()).isEqualTo("c");
        assertThat(files()).hasSize(1);
    }

    @Test
    void shouldCompileAnewWhenASourceIsGone() throws IOException {
        load();
        Files.delete(beside);

        assertThatThrownBy(this::load).hasMessage(job + " does not compile");
    }

    @Test
    void shouldKeepJobsOfTheSameNameApart() throws IOException {
        load();
        Path other = Files.createDirectories(folder.resolve("other")).resolve("Job.java");
        Files.writeString(other, Files.readString(job).replace("Beside.word()", "\"z\""));

        assertThat(load(other)).isEqualTo("z");
        assertThat(load()).isEqualTo("a");
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldIgnoreAndReplaceADamagedFile() throws IOException {
        load();
        Path kept = files().get(0);
        byte[] whole = Files.readAllBytes(kept);
        for (int length : new int[] {0, 5, whole.length / 2, whole.length - 1}) {
            Files.write(kept, java.util.Arrays.copyOf(whole, length));
            assertThat(load()).as("cut to %d bytes", length).isEqualTo("a");
            assertThat(kept).as("cut to %d bytes", length).hasBinaryContent(whole);
        }
        for (int flipped = 0; flipped < whole.length; flipped += 97) {
            byte[] wrong = whole.clone();
            wrong[flipped] ^= 4;
            Files.write(kept, wrong);
            assertThat(new CompileCache(cache).find(CompileCache.key(job, List.of())))
                    .as("byte %d wrong", flipped)
                    .isNull();
        }
    }

    @Test
    void shouldDoWithoutAFolderThatCannotBeWritten() throws IOException {
        Files.createDirectories(cache.getParent());
        Files.writeString(cache, "a file where the folder should be");

        assertThat(load()).isEqualTo("a");
    }

    @Test
    void shouldRemoveWhatWasNotMadeForALongTime() throws IOException {
        Files.createDirectories(cache);
        Path old = Files.createFile(cache.resolve("0123.job"));
        Path young = Files.createFile(cache.resolve("4567.job"));
        Path foreign = Files.createFile(cache.resolve("notes.txt"));
        FileTime now = Files.getLastModifiedTime(young);
        FileTime before =
                FileTime.fromMillis(now.toMillis() - Duration.ofDays(31).toMillis());
        Files.setLastModifiedTime(old, before);
        Files.setLastModifiedTime(foreign, before);

        load();

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign).exists();
    }

    private String load() {
        return load(job);
    }

    private String load(Path file) {
        return new JobLoader(cache).load(file, null).definition().toString();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            return files.toList();
        }
    }
}
