// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.history;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.RunStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** A table of a database of SQLite, one for each kind of what is kept: SQLite's locks let processes use it together, and its journal survives their death. */
final class SqliteFile implements RunStore {
    /** "THLW": what tells such a file from other databases. */
    static final int APPLICATION = 0x54_48_4c_57;

    /** Of a table; a file of a newer one is not touched. Files are as old as they are without the table of tunings. */
    static final int VERSION = 1;

    static final int MOST_RUNS = 1_000;
    private static final int WAIT_MS = 2_000;
    private static final String ELSEWHERE = "; name another file with --history=FILE";

    /** Result codes of SQLite, and the part of one that tells them, without what details it. */
    private static final int PRIMARY = 0xff;

    private static final int NO_PERMISSION = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READ_ONLY = 8;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANNOT_OPEN = 14;
    private static final int NOT_A_DATABASE = 26;

    private final Path file;
    private final String table;
    private final long mostPages;
    private final int waitMs;

    SqliteFile(Path file, Kind kind) {
        this(file, kind, 0, WAIT_MS);
    }

    /**
     * @param mostPages as if the disk had room for no more; 0 for all that there is
     * @param waitMs how long others who write are waited for
     */
    SqliteFile(Path file, Kind kind, long mostPages, int waitMs) {
        this.file = file.toAbsolutePath();
        table = kind.name().toLowerCase(Locale.ROOT);
        this.mostPages = mostPages;
        this.waitMs = waitMs;
    }

    /** What is done with an open file. */
    @FunctionalInterface
    private interface Work<T> {
        T with(Connection database) throws SQLException;
    }

    @Override
    public void put(Run run) {
        check();
        create();
        boolean unused = use(database -> {
            try (Statement begin = database.createStatement()) {
                begin.execute("begin immediate"); // one process at a time makes the table
                if (!isHistory(database)) {
                    begin.execute("pragma application_id = " + APPLICATION);
                    begin.execute("pragma user_version = " + VERSION);
                }
                begin.execute("create table if not exists " + table
                        + " (id text primary key, started_ms integer not null,"
                        + " summary text not null, detail text not null)");
                begin.execute("create index if not exists " + table + "_started on " + table + " (started_ms)");
                insert(database, run);
                forgetOldest(database, run);
                begin.execute("commit");
            }
            return true;
        });
    }

    private void insert(Connection database, Run run) throws SQLException {
        try (PreparedStatement insert =
                database.prepareStatement("insert or replace into " + table + " values (?, ?, ?, ?)")) {
            insert.setString(1, run.id());
            insert.setLong(2, run.startedMs());
            insert.setString(3, run.summary());
            insert.setString(4, run.detail());
            insert.executeUpdate();
        }
    }

    /** But not what was put, where as many others as are kept have begun since. */
    private void forgetOldest(Connection database, Run put) throws SQLException {
        try (PreparedStatement delete =
                database.prepareStatement("delete from " + table + " where id in (select id from " + table
                        + " where id <> ? order by started_ms desc limit -1 offset " + (MOST_RUNS - 1) + ")")) {
            delete.setString(1, put.id());
            delete.executeUpdate();
        }
    }

    @Override
    public List<String> newest(int most) {
        return Files.exists(file)
                ? use(database -> {
                    List<String> found = new ArrayList<>();
                    if (hasTable(database)) {
                        try (PreparedStatement select = database.prepareStatement(
                                "select summary from " + table + " order by started_ms desc, id limit ?")) {
                            select.setInt(1, most);
                            ResultSet rows = select.executeQuery();
                            while (rows.next()) {
                                found.add(rows.getString(1));
                            }
                        }
                    }
                    return found;
                })
                : List.of();
    }

    @Override
    public @Nullable String detail(String id) {
        List<String> found = Files.exists(file)
                ? use(database -> hasTable(database) ? detail(database, id) : List.<String>of())
                : List.of();
        return found.isEmpty() ? null : found.get(0);
    }

    private List<String> detail(Connection database, String id) throws SQLException {
        try (PreparedStatement select = database.prepareStatement("select detail from " + table + " where id = ?")) {
            select.setString(1, id);
            ResultSet rows = select.executeQuery();
            return rows.next() ? List.of(rows.getString(1)) : List.of();
        }
    }

    /** Only its owner may read it: settings and names of files are in it. */
    private void create() {
        try {
            if (Files.exists(file)) {
                return;
            }
            Path folder = file.getParent();
            boolean posix = folder != null && Files.getFileStore(folder).supportsFileAttributeView("posix");
            Files.createFile(
                    file,
                    posix
                            ? new FileAttribute<?>[] {
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                            }
                            : new FileAttribute<?>[0]);
        } catch (FileAlreadyExistsException e) {
            if (!Files.exists(file)) {
                throw new ConnectorException(file + " is a link to nowhere" + ELSEWHERE, e);
            } // else another process was faster
        } catch (IOException e) {
            throw new ConnectorException(file + " cannot be created: " + reason(e) + ELSEWHERE, e);
        }
    }

    private static String reason(IOException e) {
        String message = e.getMessage() == null ? "" : ": " + e.getMessage();
        return e.getClass().getSimpleName() + message;
    }

    private void check() {
        try { // in one look, since another process may be making it
            if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
                throw new ConnectorException(file + " is no file" + ELSEWHERE);
            }
        } catch (IOException e) {
            // it is not there yet, or who opens it says why not
        }
        if (file.toString().contains("?")) { // the driver takes what follows for settings
            throw new ConnectorException(file + " has a question mark in its name" + ELSEWHERE);
        }
    }

    private <T> T use(Work<T> work) {
        check();
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(waitMs);
        config.resetOpenMode(SQLiteOpenMode.CREATE); // what SQLite creates, others may read
        try (Connection database = config.createConnection("jdbc:sqlite:" + file)) {
            if (mostPages > 0) {
                number(database, "pragma max_page_count = " + mostPages);
            }
            return work.with(database);
        } catch (SQLException e) {
            throw new ConnectorException(file + " " + problem(e), e);
        } catch (LinkageError e) {
            throw new ConnectorException(
                    "SQLite's library cannot be loaded: " + e
                            + "; it is unpacked to the folder for temporary files, or to that of -Dorg.sqlite.tmpdir",
                    e);
        }
    }

    /** Whether it holds something already; false if it is empty. */
    private boolean isHistory(Connection database) throws SQLException {
        long application = number(database, "pragma application_id");
        long version = number(database, "pragma user_version");
        if (application == 0 && version == 0 && number(database, "select count(*) from sqlite_master") == 0) {
            return false;
        }
        if (application != APPLICATION) {
            throw new ConnectorException(file + " is a database, but no history of Thalweg" + ELSEWHERE);
        }
        if (version != VERSION) {
            throw new ConnectorException(file + " is a history of version " + version
                    + ", and this Thalweg knows version " + VERSION + " only" + ELSEWHERE);
        }
        return true;
    }

    /** Whether it holds something of this kind; a file that is older than the kind does not. */
    private boolean hasTable(Connection database) throws SQLException {
        return isHistory(database)
                && number(
                                database,
                                "select count(*) from sqlite_master where type = 'table' and name = '" + table + "'")
                        > 0;
    }

    private static long number(Connection database, String query) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static String problem(SQLException e) {
        return switch (e.getErrorCode() & PRIMARY) {
            case NOT_A_DATABASE -> "is no database" + ELSEWHERE;
            case CORRUPT -> "is damaged; move it away, and a new one is made";
            case FULL -> "cannot be written: the disk is full";
            case BUSY, LOCKED -> "is locked by another process";
            case READ_ONLY, NO_PERMISSION -> "cannot be written: it, or its folder, is read-only" + ELSEWHERE;
            case CANNOT_OPEN -> "cannot be opened; its folder may be missing, or belong to another user" + ELSEWHERE;
            default ->
                "cannot be used: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ELSEWHERE;
        };
    }
}
