// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thalweg.lab.report.Figures;
import io.thalweg.lab.report.Html;
import io.thalweg.lab.report.PageResource;
import java.util.Map;

/**
 * Flame graphs of what was recorded, as one HTML page that opens from disk: it holds its style, its script and the stacks, and its own
 * policy forbids the browser to fetch anything. The heaviest calls stand in it as tables, too.
 */
public final class FlamePage {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int TABLE = 20;

    private final Html page = new Html();
    private final ArrayNode trees = MAPPER.createArrayNode();

    private FlamePage() {}

    /**
     * @param title the cell and the run
     * @param records of the span that was read
     */
    public static String of(String title, Recordings recorded, double records) {
        return new FlamePage().write(title, recorded, records);
    }

    private String write(String title, Recordings recorded, double records) {
        String script = PageResource.text(FlamePage.class, "flame.js");
        page.head(title, script, PageResource.text(FlamePage.class, "flame.css"));
        page.element("h1", title)
                .element(
                        "p",
                        "The measured part of the run, " + Figures.count(records)
                                + " records, as the JDK Flight Recorder"
                                + " saw it. A box is a call; what it called stands on it, and its width is its share. Click"
                                + " on a box to make it as wide as the page, and on one below it to go back. "
                                + recorded.collections() + " garbage collections stopped all threads for "
                                + Figures.time(recorded.pauses().toNanos() / 1e3) + ".")
                .raw("<p><label>Highlight calls that contain <input id=\"find\" type=\"search\"></label></p>\n");
        graph("CPU: samples of running threads", recorded.cpu(), "samples");
        graph(
                "Allocation: "
                        + (records > 0 ? Figures.digits(recorded.allocatedBytes() / records) + " bytes a record, " : "")
                        + "by samples",
                recorded.allocations(),
                "bytes");
        try {
            // No < in it, so nothing in it can end the element.
            String data = MAPPER.writeValueAsString(trees).replace("<", "\\u003c");
            return page.raw("<script type=\"application/json\" id=\"stacks\">")
                    .raw(data)
                    .raw("</script>\n<script>")
                    .raw(script)
                    .raw("</script>\n</body>\n</html>\n")
                    .toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void graph(String title, Stacks stacks, String unit) {
        page.raw("<section>\n").element("h2", title);
        if (stacks.total() == 0) {
            page.element("p", "none").raw("</section>\n");
            return;
        }
        page.raw("<div class=\"flame\" data-graph=\"" + trees.size() + "\" data-unit=\"" + unit
                + "\"></div>\n<details><summary>The heaviest, as a table</summary><table>\n");
        stacks.innermost().stream()
                .limit(TABLE)
                .forEach(each -> page.raw("<tr>")
                        .element("td class=\"n\"", Figures.digits(100.0 * each.getValue() / stacks.total()) + " %")
                        .element("td", each.getKey())
                        .raw("</tr>\n"));
        page.raw("</table></details>\n</section>\n");
        trees.add(tree("all", stacks));
    }

    private static ObjectNode tree(String name, Stacks stacks) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("n", name);
        node.put("v", stacks.total());
        ArrayNode callees = node.putArray("c");
        for (Map.Entry<String, Stacks> each : stacks.callees()) {
            callees.add(tree(each.getKey(), each.getValue()));
        }
        return node;
    }
}
