// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.FileFigures;
import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.driver.FileOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileInputsTest {
    private static final int RECORDS = 500;

    @TempDir
    private Path folder;

    private FileInput input(FileJob job) throws IOException {
        return new FileInputs(folder, Path.of("../.."), said -> {}).of(job, RECORDS);
    }

    private String problem(FileInput input, List<String> rows) throws IOException {
        return input.check(Files.write(folder.resolve("out.csv"), rows)).problem();
    }

    @Test
    void shouldAcceptGroupsInAnyOrder_andFindEachThatIsWrong() throws Exception {
        FileInput input = input(FileJob.CSV_GROUP);
        Map<String, FileFigures> groups = new LinkedHashMap<>();
        for (String line : Files.readAllLines(input.path())) {
            if (!FileOrder.isHeader(line)) {
                FileFigures figures = FileFigures.ofOrder(line, true);
                groups.merge(figures.first + "," + figures.second, figures, (a, b) -> a.add(b, FileJob.CSV_GROUP));
            }
        }
        List<String> right = new ArrayList<>(List.of("shop,product,n,price,quantity"));
        groups.values().forEach(each -> right.add(1, each.line(FileJob.CSV_GROUP)));
        assertThat(problem(input, right)).isNull();

        assertThat(problem(input, right.subList(0, right.size() - 1)))
                .isEqualTo("only " + (groups.size() - 1) + " of " + groups.size() + " groups came out");
        List<String> twice = new ArrayList<>(right);
        twice.add(right.get(1));
        assertThat(problem(input, twice)).endsWith("came out twice");
        List<String> wrong = new ArrayList<>(right);
        wrong.set(1, right.get(1).replaceFirst(",(\\d+)$", ",1$1"));
        assertThat(problem(input, wrong)).startsWith("of the group [").contains(" instead of ");
        List<String> strange = new ArrayList<>(right);
        strange.add("nowhere,nothing,1,1.0,1");
        assertThat(problem(input, strange)).isEqualTo("the group [nowhere, nothing] came out, which there is not");
        assertThat(problem(input, List.of("a,b,x,y,z"))).isNotNull();
        assertThat(problem(input, List.of())).startsWith("only 0 of ");
    }

    @Test
    void shouldAcceptLargeOrdersWhateverTheirTimesLookLike_andFindEachThatIsWrong() throws Exception {
        FileInput input = input(FileJob.CSV_FILTER);
        List<String> right = new ArrayList<>();
        List<String> small = new ArrayList<>();
        for (String line : Files.readAllLines(input.path())) {
            if (!FileOrder.isHeader(line)) {
                FileOrder order = FileOrder.of(line);
                (order.quantity() > FileJob.QUANTITY ? right : small).add(order.line());
            }
        }
        assertThat(problem(input, right)).isNull();
        assertThat(input.check(folder.resolve("out.csv")).rows()).isEqualTo(right.size());
        List<String> blanks = right.stream()
                .map(line -> line.replaceFirst("T(\\d\\d:\\d\\d:\\d\\d)Z", " $1"))
                .toList();
        assertThat(blanks).isNotEqualTo(right);
        assertThat(problem(input, blanks)).isNull();

        assertThat(problem(input, right.subList(1, right.size()))).startsWith("only " + (right.size() - 1) + " of ");
        List<String> more = new ArrayList<>(right);
        more.add(small.get(0));
        assertThat(problem(input, more)).contains(" came out, of ").endsWith(" pieces");
        List<String> wrong = new ArrayList<>(right);
        wrong.set(0, right.get(0) + "!");
        assertThat(problem(input, wrong)).contains(" came out instead of ");
        List<String> beyond = new ArrayList<>(right);
        beyond.add(right.get(0).replaceFirst("\\d+", "" + RECORDS));
        assertThat(problem(input, beyond)).isEqualTo("order " + RECORDS + " came out, which there is not");
    }

    @Test
    void shouldReadAllFilesOfAFolderButThoseThatAreHidden() throws Exception {
        FileInput input = input(FileJob.CSV_READ);
        long chars = 0;
        long quantity = 0;
        double price = 0;
        for (String line : Files.readAllLines(input.path())) {
            if (!FileOrder.isHeader(line)) {
                FileFigures figures = FileFigures.ofOrder(line, false);
                chars += figures.more;
                quantity += figures.whole;
                price = Math.max(price, figures.real);
            }
        }
        Path parts = Files.createDirectories(folder.resolve("out/2026"));
        Files.writeString(parts.resolve("part-0"), "");
        Files.writeString(parts.resolve("part-1"), RECORDS + "," + chars + "," + quantity + "," + price + "\n");
        Files.writeString(parts.resolve(".part-1.crc"), "no row\n");
        FileInput.Found found = input.check(folder.resolve("out"));
        assertThat(found.problem()).isNull();
        assertThat(found.rows()).isEqualTo(1);
    }

    @Test
    void shouldReadQuotedFields() {
        assertThat(Rows.fields("1,\"a, b\",\"say \"\"no\"\"\",")).containsExactly("1", "a, b", "say \"no\"", "");
    }

    @Test
    void shouldSayHowManyRecordsCanBeMade() {
        assertThatThrownBy(() -> new FileInputs(folder, Path.of("../.."), said -> {}).of(FileJob.CSV_READ, 0))
                .hasMessage("files of 1 to 2147483647 records can be made, not of 0");
    }

    @Test
    void shouldCountTheRealEarthquakes() throws Exception {
        assertThat(input(FileJob.QUAKES).records()).isEqualTo(1_707);
    }
}
