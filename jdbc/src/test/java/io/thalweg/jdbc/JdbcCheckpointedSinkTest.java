// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.testkit.FoldersInMemory;
import io.thalweg.testkit.contract.CheckpointedSinkContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each database, killed at any moment: rows that are only inserted, and rows that replace others. */
@ParameterizedClass(name = "{0}")
@MethodSource("cases")
@Tag("integration")
final class JdbcCheckpointedSinkTest extends CheckpointedSinkContract<JdbcCheckpointedSinkTest.Place> {
    record Place(String name, int height) {}

    record Case(Database database, boolean upsert, boolean idempotent) {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(Database.POSTGRESQL, false, false),
                new Case(Database.SQLITE, false, false),
                new Case(Database.SQLITE, true, false),
                new Case(Database.SQLITE, true, true),
                new Case(Database.DUCKDB, false, false));
    }

    private static final List<Place> PLACES = List.of(
            new Place("", 0),
            new Place("a, \"b\"", -1),
            new Place("🙂\n", 1),
            new Place("c", 1),
            new Place("d", 7),
            new Place("e", 7),
            new Place("f", 7),
            new Place("g", 7),
            new Place("h", 7),
            new Place("i", 7),
            new Place("j", 7),
            new Place("k", 7));

    @Parameter
    Case tested;

    /** Each commit is forced to the disk, of which nobody pulls the plug. */
    @TempDir(factory = FoldersInMemory.class)
    Path base;

    private String shared;

    /** Folders whose table is there. */
    private final Set<Path> made = new HashSet<>();

    @BeforeEach
    void makeDatabase() throws Exception {
        shared = tested.database().url(base);
    }

    /** Of SQLite each folder has a file: to look at a table takes longer, the more others there are. */
    private String url(Path folder) throws Exception {
        return tested.database() == Database.SQLITE
                ? Database.SQLITE.url(Files.createDirectories(base.resolve(table(folder))))
                : shared;
    }

    /** A table for each folder. */
    private static String table(Path folder) {
        return "t" + Integer.toHexString(folder.hashCode());
    }

    @Override
    protected Sink<Place> sinkIn(Path folder) throws Exception {
        String url = url(folder);
        String table = table(folder);
        if (made.add(folder)) {
            String key = tested.upsert() ? ", primary key (name)" : "";
            Database.execute(url, "create table " + table + " (name varchar(20), height integer not null" + key + ")");
        }
        if (!tested.upsert()) {
            return Jdbc.insert(url, table, Place.class).batch(2);
        }
        JdbcSink<Place> upsert =
                Jdbc.upsert(url, table, Place.class).key("name").batch(2);
        return tested.idempotent() ? upsert.idempotent() : upsert;
    }

    @Override
    protected Codec<Object> codec() {
        @SuppressWarnings({"unchecked", "rawtypes"}) // of the records
        Codec<Object> codec = (Codec) Type.of(Place.class).codec();
        return codec;
    }

    /** A pair takes seconds where each task connects to a server; on SQLite there are all. */
    @Override
    protected int[][] tasksBeforeAndAfter() {
        return tested.database() == Database.SQLITE ? super.tasksBeforeAndAfter() : new int[][] {{3, 2}, {2, 3}};
    }

    @Override
    protected boolean takesBack() {
        return tested.upsert();
    }

    @Override
    protected List<Place> records() {
        return PLACES;
    }

    @Override
    protected List<Place> writtenIn(Path folder) throws Exception {
        List<Place> places = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url(folder));
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select name, height from " + table(folder))) {
            while (found.next()) {
                places.add(new Place(found.getString(1), found.getInt(2)));
            }
        }
        return places;
    }
}
