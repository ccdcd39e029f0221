// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import java.io.Closeable;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One holder at a time, whether another thread, another class loader or another process asks. */
final class LockedFileTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 50;

    @TempDir
    private Path folder;

    /** {@code Other FILE}: says whether another process gets the lock of a file. */
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws Exception {
            try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                System.out.print(file.tryLock() != null);
            }
        }
    }

    private static boolean isFreeForAnotherProcess(Path file) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).isZero();
        return said.equals("true");
    }

    /** The classes of this module once more, as an engine loads them for each of its jobs. */
    static URLClassLoader anotherLoader() throws MalformedURLException {
        List<URL> elements = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            elements.add(Path.of(element).toUri().toURL());
        }
        return new URLClassLoader(elements.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static @Nullable Closeable tryLock(ClassLoader of, Path file) throws Exception {
        return (Closeable) of.loadClass(LockedFile.class.getName())
                .getMethod("tryLock", Path.class)
                .invoke(null, file);
    }

    @Test
    void shouldHaveOneHolder_amongManyThreads() throws Exception {
        Path file = folder.resolve("lock");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                CyclicBarrier ready = new CyclicBarrier(THREADS);
                List<Callable<@Nullable LockedFile>> tries = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    tries.add(() -> {
                        ready.await();
                        return LockedFile.tryLock(file);
                    });
                }
                List<LockedFile> got = new ArrayList<>();
                for (Future<@Nullable LockedFile> each : threads.invokeAll(tries)) {
                    LockedFile lock = each.get();
                    if (lock != null) {
                        got.add(lock);
                    }
                }
                assertThat(got).as("round %d", round).hasSize(1);
                if (round == 0) {
                    assertThat(isFreeForAnotherProcess(file))
                            .as("those that came too late have not let go of it")
                            .isFalse();
                }
                got.get(0).close();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(isFreeForAnotherProcess(file)).isTrue();
    }

    @Test
    void shouldHaveOneHolder_amongClassLoaders() throws Exception {
        Path file = folder.resolve("lock");
        ClassLoader own = LockedFile.class.getClassLoader();
        try (URLClassLoader other = anotherLoader()) {
            Closeable held = Objects.requireNonNull(tryLock(own, file));
            assertThat(tryLock(other, file)).isNull();
            assertThat(isFreeForAnotherProcess(file)).isFalse();
            held.close();
            held.close();

            Closeable next = Objects.requireNonNull(tryLock(other, file));
            held.close(); // of an earlier holder
            assertThat(tryLock(own, file)).isNull();
            assertThat(isFreeForAnotherProcess(file)).isFalse();
            next.close();
            Objects.requireNonNull(tryLock(own, file)).close();
        }
    }

    @Test
    void shouldBeOneFile_byWhateverNameOfItsFolder() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        try (LockedFile held = LockedFile.tryLock(real.resolve("lock"))) {
            assertThat(held).isNotNull();
            assertThat(LockedFile.tryLock(link.resolve("lock"))).isNull();
        }
        Objects.requireNonNull(LockedFile.tryLock(link.resolve("lock"))).close();
    }

    @Test
    void shouldMakeAFileThatIsLocked_andLookAtOneThatIsThere() throws Exception {
        Path file = folder.resolve("lock");
        assertThatThrownBy(() -> LockedFile.tryLockExisting(file)).isInstanceOf(NoSuchFileException.class);
        assertThat(file).doesNotExist();
        try (LockedFile made = LockedFile.create(file)) {
            assertThat(made).isNotNull();
            assertThat(LockedFile.tryLockExisting(file)).isNull();
            assertThatThrownBy(() -> LockedFile.create(file)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(isFreeForAnotherProcess(file)).isFalse();
        }
        Objects.requireNonNull(LockedFile.tryLockExisting(file)).close();
    }

    /** Closing the channel of the second one took the lock away from the first. */
    @Test
    void shouldStayLocked_whenAnotherThreadWantsTheSameCacheFolder() throws Exception {
        try (Closeable held = CacheFolder.lock(folder)) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> CacheFolder.lock(folder, "taken"))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessage("taken");
            assertThat(isFreeForAnotherProcess(folder.resolve("lock"))).isFalse();
        }
    }
}
