// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thalweg.lab.driver.FileJob;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The inputs of all jobs, each made on first use. */
public final class FileInputs {
    private static final long BYTES_OF_ORDER = 90;
    private static final long BYTES_OF_PROBE = 1_700;

    private final Path folder;
    private final Path home;
    private final Consumer<String> say;
    private final Map<String, Path> files = new HashMap<>();
    private final Map<String, FileInput> inputs = new HashMap<>();

    /**
     * @param folder for what is generated
     * @param home Thalweg's source tree, with the earthquakes
     * @param say told what takes long
     */
    public FileInputs(Path folder, Path home, Consumer<String> say) {
        this.folder = folder;
        this.home = home;
        this.say = say;
    }

    /** @param records to be generated; the earthquakes are as many as there are */
    public FileInput of(FileJob job, long records) throws IOException {
        String name = job + " " + records;
        FileInput known = inputs.get(name);
        if (known == null) {
            known = make(job, records);
            inputs.put(name, known);
        }
        return known;
    }

    private FileInput make(FileJob job, long records) throws IOException {
        if (job != FileJob.QUAKES && (records < 1 || records > Integer.MAX_VALUE)) {
            throw new IOException("files of 1 to " + Integer.MAX_VALUE + " records can be made, not of " + records);
        }
        return switch (job) {
            case CSV_READ -> orders(records, totalsOfOrders(records));
            case CSV_GROUP -> orders(records, groupsOfOrders(records));
            case CSV_FILTER -> {
                long large = 0;
                for (long i = 0; i < records; i++) {
                    large += Order.of(i).quantity() > FileJob.QUANTITY ? 1 : 0;
                }
                long expected = large;
                yield orders(records, () -> new OrdersAnswer(records, expected));
            }
            case JSON_READ -> probes(records, Probes.totals(records));
            case JSON_GROUP -> probes(records, Probes.groups(records));
            case QUAKES -> quakes();
        };
    }

    private FileInput orders(long records, Supplier<Answer> answer) throws IOException {
        Path file = file("orders-" + records + ".csv", records * BYTES_OF_ORDER, to -> Order.write(to, records));
        return new FileInput(file, records, answer);
    }

    private FileInput probes(long records, Supplier<Answer> answer) throws IOException {
        Path file = file("probes-" + records + ".jsonl", records * BYTES_OF_PROBE, to -> Probes.write(to, records));
        Probes.writeSchema(file.resolveSibling(file.getFileName() + ".schema.json"));
        return new FileInput(file, records, answer);
    }

    private interface Writer {
        void write(Path to) throws IOException;
    }

    private Path file(String name, long bytes, Writer writer) throws IOException {
        Path known = files.get(name);
        if (known != null) {
            return known;
        }
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < 2 * bytes) {
            throw new IOException("about " + (bytes >> 19) + " MB are needed in " + folder + " for " + name
                    + " and what jobs make of it, and " + (free >> 20)
                    + " MB are free; set java.io.tmpdir, or records");
        }
        say.accept("writing " + name + " ...");
        Path file = folder.resolve(name);
        writer.write(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true); // or the system writes it while something is measured
        }
        files.put(name, file);
        return file;
    }

    private static Supplier<Answer> totalsOfOrders(long records) {
        GroupsAnswer.Groups groups = new GroupsAnswer.Groups();
        for (long i = 0; i < records; i++) {
            Order order = Order.of(i);
            groups.add(
                    List.of(),
                    Set.of(3),
                    List.of(
                            BigDecimal.ONE,
                            BigDecimal.valueOf(
                                    order.shop().length() + order.product().length()),
                            BigDecimal.valueOf(order.quantity()),
                            BigDecimal.valueOf(order.price())));
        }
        return () -> groups.answer(List.of("n", "chars", "quantity", "price"), 0);
    }

    private static Supplier<Answer> groupsOfOrders(long records) {
        GroupsAnswer.Groups groups = new GroupsAnswer.Groups();
        for (long i = 0; i < records; i++) {
            Order order = Order.of(i);
            groups.add(
                    List.of(order.shop(), order.product()),
                    Set.of(1),
                    List.of(BigDecimal.ONE, BigDecimal.valueOf(order.price()), BigDecimal.valueOf(order.quantity())));
        }
        return () -> groups.answer(List.of("shop", "product", "n", "price", "quantity"), 2);
    }

    private FileInput quakes() throws IOException {
        Path file = home.resolve("examples/earthquakes/earthquakes.jsonl");
        GroupsAnswer.Groups groups = new GroupsAnswer.Groups();
        ObjectMapper json = new ObjectMapper();
        long records = 0;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String line;
            while ((line = in.readLine()) != null) {
                JsonNode quake = json.readTree(line).get("properties");
                groups.add(
                        List.of(quake.get("net").asText(), quake.get("magType").asText()),
                        Set.of(1),
                        List.of(
                                BigDecimal.ONE,
                                quake.get("mag").decimalValue(),
                                quake.get("sig").decimalValue()));
                records++;
            }
        }
        return new FileInput(file, records, () -> groups.answer(List.of("net", "magType", "n", "mag", "sig"), 2));
    }
}
