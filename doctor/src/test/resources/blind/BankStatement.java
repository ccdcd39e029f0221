// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Locale;

/** Reads lines of bank statements: date, amount and rate as text, exact to the cent. */
public final class BankStatement implements TopologyDefinition {
    record Entry(String account, long time, long cents) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, BankStatement::line).splitInto(8))
                .name("statements")
                .map(BankStatement::entry)
                .name("entry")
                .keyBy(Entry::account)
                .aggregate(Aggregates.sum(Entry::cents))
                .name("balance")
                .to(Sinks.discard());
    }

    static String line(long i) {
        return "DE" + i % 5000 + ";2018-02-0" + (i % 9 + 1) + " 11:22:3" + i % 10 + ";" + i % 100_000 + "." + (i % 90 + 10)
                + ";1.1" + i % 10_000;
    }

    static Entry entry(String line) throws ParseException {
        String[] fields = line.split(";");
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
        BigDecimal amount = new BigDecimal(fields[2]).multiply(new BigDecimal(fields[3]));
        long cents = amount.setScale(2, RoundingMode.HALF_EVEN).movePointRight(2).longValueExact();
        return new Entry(fields[0], format.parse(fields[1]).getTime(), cents);
    }
}
