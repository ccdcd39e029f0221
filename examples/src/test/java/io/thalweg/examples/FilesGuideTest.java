// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Csv;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.files.JsonLines;
import io.thalweg.files.TextLines;
import io.thalweg.files.record.Epoch;
import io.thalweg.files.record.Name;
import io.thalweg.files.record.Pattern;
import io.thalweg.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide shows, run and checked. */
final class FilesGuideTest {
    // region record
    record Sale(
            LocalDate day,
            @Name("shop-id") int shop,
            String article,
            @Nullable Double discount,
            Price price) {}

    record Price(double amount, String currency) {}
    // endregion

    record Flat(
            LocalDate day,
            @Name("shop-id") int shop,
            String article,
            @Nullable Double discount) {}

    // region forms
    record Visit(
            @Pattern(value = "dd.MM.yyyy HH:mm", zone = "Europe/Berlin") Instant from,

            @Epoch(ChronoUnit.MILLIS) Optional<Instant> to,
            @Nullable String note) {}
    // endregion

    @TempDir
    Path directory;

    private Path deadLetters;

    @Test
    void shouldReadJsonLinesAndKeepTheBad() throws Exception {
        Path in = Files.writeString(directory.resolve("sales.jsonl"), """
                {"day":"2024-02-29","shop-id":7,"article":"lamp","price":{"amount":19.5,"currency":"EUR"},"till":3}
                {"day":"2024-02-29","shop-id":"7","article":"lamp","price":{"amount":19.5,"currency":"EUR"}}
                """);
        Path out = directory.resolve("sales.csv");
        Topology topology = Topology.named("sales");
        // region json
        Source<Sale> sales = JsonLines.read(in.toString(), Sale.class)
                .maxLineBytes(1024 * 1024) // 16 MiB unless told
                .maxDepth(16); // 64 levels unless told
        topology.from(sales)
                .to(Csv.<Sale>write(out.toString())
                        .column("article", Sale::article)
                        .column("amount", sale -> sale.price().amount()));
        // endregion
        run(topology);

        assertThat(out).hasContent("article,amount\nlamp,19.5\n");
        assertThat(Files.readString(deadLetters)).isEqualTo("""
                {"topology":"sales","operator":"source","split":"IN","line":2,"offset":100,\
                "reason":"byte 30, 'shop-id': a number is expected, found a string",\
                "bytes":"eyJkYXkiOiIyMDI0LTAyLTI5Iiwic2hvcC1pZCI6IjciLCJhcnRpY2xlIjoibGFtcCIsInByaWNlIjp7ImFtb3VudCI6MTkuN\
                SwiY3VycmVuY3kiOiJFVVIifX0=",\
                "text":"{\\"day\\":\\"2024-02-29\\",\\"shop-id\\":\\"7\\",\\"article\\":\\"lamp\\",\
                \\"price\\":{\\"amount\\":19.5,\\"currency\\":\\"EUR\\"}}"}
                """.replace("IN", in.toString()));
    }

    @Test
    void shouldReadCsvAndWriteParts() throws Exception {
        Path in = Files.writeString(
                directory.resolve("sales.csv"),
                "till;shop-id;day;discount;article\n3;7;2024-02-29;;\"lamp; \"\"large\"\"\"\n4;8;2024-03-01;0.1;\"\"\n");
        Path out = directory.resolve("out");
        Topology topology = Topology.named("sales");
        // region csv
        Source<Flat> sales = Csv.read(in.toString(), Flat.class).delimiter(';').maxRecordBytes(1024 * 1024);
        topology.from(sales).parallelism(1).to(JsonLines.write(out + "/", Flat.class));
        // endregion
        run(topology);

        assertThat(out.resolve("part-00000.jsonl")).hasContent("""
                {"day":"2024-02-29","shop-id":7,"article":"lamp; \\"large\\"","discount":null}
                {"day":"2024-03-01","shop-id":8,"article":"","discount":0.1}
                """);
        assertThat(deadLetters).doesNotExist();
    }

    @Test
    void shouldWriteNestedRecordsAndReadThemBack() throws Exception {
        Path in = Files.writeString(directory.resolve("in.csv"), """
                Sales of February
                # by shop
                day,shop-id,article,discount,price.amount,price.currency
                2024-02-29,7,lamp,,19.5,EUR
                """);
        Path out = directory.resolve("sales.csv");
        Topology topology = Topology.named("sales");
        // region nested
        Source<Sale> sales = Csv.read(in.toString(), Sale.class).skipLines(1).comments('#');
        topology.from(sales).to(Csv.write(out.toString(), Sale.class));
        // endregion
        run(topology);

        assertThat(out).hasContent("""
                day,shop-id,article,discount,price.amount,price.currency
                2024-02-29,7,lamp,,19.5,EUR
                """);
    }

    @Test
    void shouldReadDatesInTheirForms() throws Exception {
        Path in = Files.writeString(
                directory.resolve("visits.csv"),
                "from,to,note\n29.02.2024 13:05,1709210700000,\n29.02.2024 13:05,,x\n");
        Path out = directory.resolve("visits.jsonl");
        Topology topology = Topology.named("visits");
        topology.from(Csv.read(in.toString(), Visit.class)).to(JsonLines.write(out.toString(), Visit.class));
        run(topology);

        assertThat(out).hasContent("""
                {"from":"29.02.2024 13:05","to":1709210700000,"note":null}
                {"from":"29.02.2024 13:05","to":null,"note":"x"}
                """);
    }

    @Test
    void shouldReadJsonWithoutAClass() throws Exception {
        Path in = Files.writeString(directory.resolve("events.jsonl"), """
                {"type":"login","user":{"name":"Ann","roles":["admin"]}}
                {"type":"logout","user":{"name":"Ann"}}
                {"type":"login","user":{}}
                {"type":"login","user":{"name":"Ann","roles":[]}}
                """);
        Path out = directory.resolve("logins.csv");
        Topology topology = Topology.named("logins");
        // region tree
        topology.from(JsonLines.read(in.toString()))
                .filter(event -> event.text("type").equals("login"))
                .keyBy(event -> event.text("user.name"))
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .to(Csv.<WindowResult<String, Long>>write(out.toString())
                        .column("user", WindowResult::key)
                        .column("logins", WindowResult::value));
        // endregion
        run(topology);

        assertThat(out).hasContent("user,logins\nAnn,2\n");
        assertThat(Files.readString(deadLetters)).contains("'user.name' is missing");
    }

    @Test
    void shouldSayWhereRecordsStood() throws Exception {
        Files.writeString(directory.resolve("a.log"), "INFO one\nERROR two\n");
        Path out = directory.resolve("errors.txt");
        Topology topology = Topology.named("errors");
        // region position
        topology.from(TextLines.read(directory + "/*.log").withPosition())
                .filter(line -> line.value().startsWith("ERROR"))
                .map(line -> line.file() + ":" + line.line() + ": " + line.value())
                .to(TextLines.write(out.toString()));
        // endregion
        run(topology);

        assertThat(out).hasContent(directory + "/a.log:2: ERROR two\n");
    }

    @Test
    void shouldReadAndWriteText() throws Exception {
        Files.writeString(directory.resolve("a.log"), "INFO one\nERROR two\n");
        Files.writeString(directory.resolve("b.log"), "ERROR three");
        Path out = directory.resolve("errors.txt");
        Topology topology = Topology.named("errors");
        // region text
        topology.from(TextLines.read(directory + "/*.log"))
                .filter(line -> line.startsWith("ERROR"))
                .to(TextLines.write(out.toString()));
        // endregion
        run(topology);

        assertThat(Files.readAllLines(out)).containsExactlyInAnyOrderElementsOf(List.of("ERROR two", "ERROR three"));
    }

    private void run(Topology topology) throws Exception {
        deadLetters = directory.resolve("dead-letters.jsonl");
        // region dead-letters
        try (DeadLetterFile letters = new DeadLetterFile(deadLetters)) {
            RunSettings settings = RunSettings.defaults().withBadRecords(letters::accept);
            new EmbeddedRunner(settings).start(topology.graph()).await();
        }
        // endregion
    }
}
