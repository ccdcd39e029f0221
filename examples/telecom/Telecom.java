// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.SettingException;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Csv;
import io.thalweg.files.CsvSink;
import io.thalweg.files.Json;
import io.thalweg.files.JsonLines;
import io.thalweg.files.TextLines;
import io.thalweg.workloads.telecom.CsvProbe;
import io.thalweg.workloads.telecom.DimensionKey;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomCheck;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomFile;
import io.thalweg.workloads.telecom.TelecomLateCheck;
import io.thalweg.workloads.telecom.TelecomRow;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSource;
import io.thalweg.workloads.telecom.TelecomSums;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Sums 20 measures of network probes over five-minute windows, grouped by any of 62 dimensions, and checks every sum
 * while it runs.
 *
 * <p>Settings: {@code records=N}, {@code rate=R} a second (0 for as fast as it goes), {@code size=small|typical|worst},
 * {@code format=json|csv|record}, {@code dims=all|region,rat,…}, {@code disorder=k}, {@code late=Z}, {@code bad=Y};
 * {@code out=DIR} also writes the sums as CSV; {@code save=FILE} only writes the records to a file, and {@code in=FILE}
 * reads such a file, with the settings that it was written with.
 */
public final class Telecom implements TopologyDefinition {
    enum Format {
        RECORD,
        JSON,
        CSV
    }

    private static final SideOutput<Probe> LATE = SideOutput.of("late", Probe.class);

    private static final WindowSpec FIVE_MINUTES = Windows.tumbling(Duration.ofMinutes(5));

    @Override
    public void define(Topology topology, Settings settings) {
        TelecomSettings telecom = TelecomSettings.from(settings);
        Format format = settings.choice("format", Format.JSON);
        List<TelecomDimension> dimensions = TelecomDimension.from(settings);
        String save = settings.text("save", "");
        String in = settings.text("in", "");
        String out = settings.text("out", "");
        if (!save.isEmpty()) {
            save(topology, telecom.withSplits(1), format, save);
            return;
        }
        Stream<Probe> probes = (in.isEmpty() ? generated(topology, telecom, format) : read(topology, format, in))
                .eventTime(Probe::time, telecom.maxDisorder());
        Stream<TelecomRow> rows = sums(probes, dimensions, telecom);
        rows.to(new TelecomCheck(telecom, dimensions)).name("check");
        if (!out.isEmpty()) {
            rows.to(csv(out, dimensions)).name("out");
        }
    }

    private static Stream<Probe> generated(Topology topology, TelecomSettings telecom, Format format) {
        return switch (format) {
            case RECORD -> topology.from(TelecomSource.records(telecom));
            case JSON ->
                topology.from(TelecomSource.jsonLines(telecom))
                        .map(Json.reader(Probe.class))
                        .as(Probe.class);
            case CSV -> topology.from(TelecomSource.csvLines(telecom)).map(new CsvProbe());
        };
    }

    private static Stream<Probe> read(Topology topology, Format format, String in) {
        return switch (format) {
            case JSON -> topology.from(JsonLines.read(in, Probe.class));
            case CSV ->
                topology.from(TextLines.read(in))
                        .filter(line -> !line.startsWith("time,"))
                        .map(line -> line.getBytes(StandardCharsets.UTF_8))
                        .map(new CsvProbe());
            case RECORD -> throw new SettingException("in", in, "a file needs format=json or format=csv");
        };
    }

    private static void save(Topology topology, TelecomSettings telecom, Format format, String file) {
        if (format == Format.RECORD) {
            throw new SettingException("save", file, "a file needs format=json or format=csv");
        }
        boolean json = format == Format.JSON;
        Source<byte[]> lines = json ? TelecomSource.jsonLines(telecom) : TelecomSource.csvLines(telecom);
        topology.from(lines).to(json ? TelecomFile.json(Path.of(file)) : TelecomFile.csv(Path.of(file)));
    }

    // region sums
    private static Stream<TelecomRow> sums(
            Stream<Probe> probes, List<TelecomDimension> dimensions, TelecomSettings telecom) {
        if (dimensions.equals(List.of(TelecomDimension.values()))) {
            return sums(probes.keyBy(Probe::dimensions), telecom).map(TelecomRow::ofAll);
        }
        return sums(probes.keyBy(DimensionKey.by(dimensions)), telecom).map(TelecomRow::of);
    }

    private static <K> Stream<WindowResult<K, TelecomSums>> sums(
            KeyedStream<K, Probe> probes, TelecomSettings telecom) {
        Stream<WindowResult<K, TelecomSums>> sums =
                probes.window(FIVE_MINUTES).lateTo(LATE).aggregate(TelecomSums.aggregate());
        sums.side(LATE).to(new TelecomLateCheck(telecom)).name("late check");
        return sums;
    }
    // endregion

    /** A column for each dimension and each sum. */
    private static CsvSink<TelecomRow> csv(String folder, List<TelecomDimension> dimensions) {
        CsvSink<TelecomRow> csv = Csv.<TelecomRow>write(folder + "/")
                .column("windowStart", TelecomRow::windowStart)
                .column("windowEnd", TelecomRow::windowEnd);
        for (int i = 0; i < dimensions.size(); i++) {
            int column = i;
            csv = csv.column(
                    dimensions.get(i).fieldName(), row -> row.dimensions().get(column));
        }
        List<String> sums = TelecomSums.names();
        for (int i = 0; i < sums.size(); i++) {
            int column = i;
            csv = csv.column(sums.get(i), row -> row.sums().values().get(column));
        }
        return csv;
    }
}
