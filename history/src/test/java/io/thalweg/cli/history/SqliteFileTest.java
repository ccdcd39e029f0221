// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.RunStore;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteFileTest {
    /** For processes that take turns; SQLite does not queue them, so that one may wait for all of the other's. */
    private static final int PATIENCE_MS = 120_000;

    @TempDir
    private Path folder;

    private Path file;
    private SqliteFile store;

    @BeforeEach
    void name() {
        file = folder.resolve("history.db");
        store = new SqliteFile(file, RunStore.Kind.RUN);
    }

    private static RunStore.Run run(String id, long startedMs) {
        return new RunStore.Run(id, startedMs, "{\"id\":\"" + id + "\"}", "{\"all\":\"" + startedMs + "\"}");
    }

    private void execute(String... statements) throws Exception {
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = database.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> store.put(run("a", 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith(file + " " + message);
        assertThatThrownBy(() -> store.newest(10))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith(file + " " + message);
    }

    @Test
    void shouldBeFound() {
        assertThat(ServiceLoader.load(io.thalweg.cli.RunStoreProvider.class))
                .singleElement()
                .isInstanceOf(SqliteRuns.class);
    }

    @Test
    void shouldKeepRunsNewestFirst() {
        store.put(run("old", 1));
        store.put(run("new", 2));
        store.put(run("old", 1));

        SqliteFile again = new SqliteFile(file, RunStore.Kind.RUN);
        assertThat(again.newest(10)).containsExactly("{\"id\":\"new\"}", "{\"id\":\"old\"}");
        assertThat(again.newest(1)).containsExactly("{\"id\":\"new\"}");
        assertThat(again.detail("old")).isEqualTo("{\"all\":\"1\"}");
        assertThat(again.detail("' or 1 = 1 --")).isNull();
    }

    @Test
    void shouldKeepTuningsBesideRuns() {
        SqliteFile tunings = new SqliteFile(file, RunStore.Kind.TUNING);
        store.put(run("a", 1));
        tunings.put(new RunStore.Run("a", 2, "{\"tuning\":1}", "{\"steps\":1}"));

        assertThat(store.newest(10)).containsExactly("{\"id\":\"a\"}");
        assertThat(store.detail("a")).isEqualTo("{\"all\":\"1\"}");
        assertThat(tunings.newest(10)).containsExactly("{\"tuning\":1}");
        assertThat(tunings.detail("a")).isEqualTo("{\"steps\":1}");
        assertThat(tunings.detail("b")).isNull();
    }

    /** As it was made before there were tunings. */
    @Test
    void shouldOpenAFileThatIsOlderThanTunings() throws Exception {
        execute(
                "create table run (id text primary key, started_ms integer not null, summary text not null, detail text not null)",
                "create index run_started on run (started_ms)",
                "pragma application_id = " + SqliteFile.APPLICATION,
                "pragma user_version = 1",
                "insert into run values ('old', 1, '{\"id\":\"old\"}', '{\"all\":\"1\"}')");
        SqliteFile tunings = new SqliteFile(file, RunStore.Kind.TUNING);

        assertThat(tunings.newest(10)).isEmpty();
        assertThat(tunings.detail("old")).isNull();
        tunings.put(run("t", 2));
        store.put(run("new", 3));

        assertThat(store.newest(10)).containsExactly("{\"id\":\"new\"}", "{\"id\":\"old\"}");
        assertThat(tunings.newest(10)).containsExactly("{\"id\":\"t\"}");
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = database.createStatement()) {
            assertThat(statement.executeQuery("pragma user_version").getLong(1))
                    .as("an older Thalweg opens it, too")
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldFindNoRunsWhereOnlyTuningsAre() {
        new SqliteFile(file, RunStore.Kind.TUNING).put(run("t", 2));

        assertThat(store.newest(10)).isEmpty();
        assertThat(store.detail("t")).isNull();
    }

    @Test
    void shouldFindNothingWhereNothingIs() {
        assertThat(store.newest(10)).isEmpty();
        assertThat(store.detail("a")).isNull();
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldForgetTheOldestOfVeryManyRuns() throws Exception {
        store.put(run("first", 1));
        execute("with recursive n (i) as (select 2 union all select i + 1 from n where i < " + SqliteFile.MOST_RUNS
                + ") insert into run select 'r' || i, i, '{}', '{}' from n");
        assertThat(store.detail("first")).isNotNull();
        store.put(run("last", 5_000));
        assertThat(store.detail("first")).isNull();
        assertThat(store.newest(10_000)).hasSize(SqliteFile.MOST_RUNS);
    }

    @Test
    void shouldKeepARunThatIsOlderThanAllOthers_asLongAsItTellsOfItself() throws Exception {
        store.put(run("long", 1));
        execute("with recursive n (i) as (select 2 union all select i + 1 from n where i < 2 + " + SqliteFile.MOST_RUNS
                + ") insert into run select 'r' || i, i, '{}', '{}' from n");
        store.put(run("long", 1));
        assertThat(store.detail("long")).isNotNull();
        assertThat(store.newest(10_000)).hasSize(SqliteFile.MOST_RUNS);
    }

    @Test
    void shouldBeReadByItsOwnerAlone() throws Exception {
        store.put(run("a", 1));
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldTakeAnEmptyFile() throws Exception {
        Files.createFile(file);
        assertThat(store.newest(10)).isEmpty();
        store.put(run("a", 1));
        assertThat(store.newest(10)).hasSize(1);
    }

    @Test
    void shouldLetTwoProcessesWriteAtOnce() throws Exception {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Void>> writers = new ArrayList<>();
            for (String name : List.of("a", "b")) {
                writers.add(() -> {
                    SqliteFile own = new SqliteFile(file, RunStore.Kind.RUN, 0, PATIENCE_MS);
                    for (int i = 0; i < 20; i++) {
                        own.put(run(name + i, i));
                    }
                    return null;
                });
            }
            for (Future<Void> writer : two.invokeAll(writers)) {
                writer.get();
            }
        } finally {
            two.shutdown();
        }
        assertThat(store.newest(100)).hasSize(40);
    }

    @Test
    void shouldSayThatOthersLockIt() throws Exception {
        store.put(run("a", 1));
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = database.createStatement()) {
            statement.execute("begin exclusive");
            assertRefused("is locked by another process");
            statement.execute("rollback");
        }
        store.put(run("b", 2));
    }

    @Test
    void shouldSayThatTheDiskIsFull() throws Exception {
        store.put(run("a", 1));
        String large = "{\"all\":\"" + "x".repeat(1_000_000) + "\"}";
        long pages;
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = database.createStatement()) {
            pages = statement.executeQuery("pragma page_count").getLong(1);
        }
        SqliteFile limited = new SqliteFile(file, RunStore.Kind.RUN, pages + 2, PATIENCE_MS);
        assertThatThrownBy(() -> limited.put(new RunStore.Run("b", 2, "{}", large)))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(file + " cannot be written: the disk is full");
        assertThat(store.newest(10)).hasSize(1);
    }

    @Test
    void shouldRefuseWhatIsNoDatabase() throws Exception {
        Files.writeString(file, "levels\n".repeat(1_000));
        assertRefused("is no database; name another file with --history=FILE");
        assertThat(file).content().startsWith("levels\n");
    }

    @Test
    void shouldRefuseADatabaseOfSomethingElse() throws Exception {
        execute("create table mine (a)");
        assertRefused("is a database, but no history of Thalweg; name another file");
        execute("select a from mine");
    }

    @Test
    void shouldRefuseANewerVersion() throws Exception {
        store.put(run("a", 1));
        execute("pragma user_version = 2");
        assertRefused("is a history of version 2, and this Thalweg knows version 1 only");
    }

    @Test
    void shouldSayThatItIsDamaged() throws Exception {
        for (int i = 0; i < 50; i++) {
            store.put(new RunStore.Run("r" + i, i, "{}", "{\"all\":\"" + "x".repeat(2_000) + "\"}"));
        }
        byte[] bytes = Files.readAllBytes(file);
        java.util.Arrays.fill(bytes, 4_096, bytes.length, (byte) 0x5a);
        Files.write(file, bytes);
        assertRefused("is damaged; move it away, and a new one is made");
    }

    @Test
    void shouldNotMakeWhatALinkLeadsTo() throws Exception {
        Path nowhere = folder.resolve("nowhere.db");
        Files.createSymbolicLink(file, nowhere);
        assertThatThrownBy(() -> store.put(run("a", 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(file + " is a link to nowhere; name another file with --history=FILE");
        assertThat(nowhere).doesNotExist();
        assertThat(store.newest(10)).isEmpty();
        Files.createFile(nowhere);
        store.put(run("a", 1));
        assertThat(store.newest(10)).hasSize(1);
    }

    @Test
    void shouldLeaveNothingWhereItsNameIsRefused() {
        Path asked = folder.resolve("a?b.db");
        assertThatThrownBy(() -> new SqliteFile(asked, RunStore.Kind.RUN).put(run("a", 1)))
                .hasMessage(asked + " has a question mark in its name; name another file with --history=FILE");
        assertThat(asked).doesNotExist();
    }

    @Test
    void shouldRefuseAFolderAndAMissingOne() throws Exception {
        Files.createDirectory(file);
        assertRefused("is no file");
        Path nowhere = folder.resolve("none/history.db");
        assertThatThrownBy(() -> new SqliteFile(nowhere, RunStore.Kind.RUN).put(run("a", 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith(nowhere + " cannot be");
    }
}
