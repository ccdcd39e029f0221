// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import io.thalweg.web.page.Json;

/** A tuning as the command line tells it: what is being tried, and how it ended. Its texts hold what must not become HTML. */
public final class SampleTuning {
    private static final String KEPT_STEP = """
            {"number":1,"choice":{"operator":"part","name":"parallelism","value":"4"},"was":"1","from":"doctor: parallelism",
            "why":"one task is busy <b>","predicted":{"low":1.2,"high":2.4,"of":"throughput"},
            "pairs":[{"before":1000.0,"after":1500.0},{"before":1010.0,"after":1490.0},{"before":990.0,"after":1510.0}],
            "measured":{"pairs":3,"before":1000.0,"after":1500.0,"ratio":1.5,"low":1.41,"high":1.6},"prediction":"held",
            "outcome":"KEPT","reason":"the gain is real"}""";
    private static final String TRYING_STEP = """
            {"number":2,"choice":{"operator":"","name":"collector","value":"parallel"},"was":null,"from":"trial",
            "why":"it costs less","predicted":null,"pairs":[{"before":1500.0,"after":1520.0}],
            "measured":{"pairs":1,"before":1500.0,"after":1520.0,"ratio":1.013,"low":0.0,"high":0.0},"prediction":null,
            "outcome":"TRYING","reason":""}""";
    private static final String DIFFERENT_STEP = """
            {"number":2,"choice":{"operator":"","name":"collector","value":"parallel"},"was":"g1","from":"trial",
            "why":"it costs less","predicted":null,"pairs":[],"measured":null,"prediction":null,"outcome":"OUTPUT_DIFFERS",
            "reason":"it changes the output: other contents at 'out'"}""";

    /** Whether it has ended. */
    public volatile boolean over;

    /** As a list has it. */
    String summary() {
        return "{" + head() + "}";
    }

    private String head() {
        return "\"id\":\"tuned\",\"topology\":\"Rivers\",\"job\":\"Rivers.java\",\"startedMs\":3000000,\"changedMs\":"
                + (over ? "3060000" : "4102444800000") + ",\"elapsedMs\":60000,\"state\":\""
                + (over ? "FINISHED" : "RUNNING")
                + "\",\"over\":" + over + (over ? "" : ",\"web\":\"http://127.0.0.1:1/\"")
                + ",\"goal\":\"throughput\",\"steps\":2,\"kept\":1,\"gain\":1.5";
    }

    /** All of it. */
    public String detail() {
        String text = "# thalweg tune Rivers.java\noperators:\n  part:\n    parallelism: 4  # <i>odd</i>\n";
        return ("{" + head() + ",\"version\":\"thalweg 1\",\"failure\":null,\"next\":\""
                        + (over ? "" : "collector: parallel, pair 2") + "\",\"settings\":{\"in\":\"<i>levels</i>\"},"
                        + "\"options\":{\"--budget\":\"10m\"},\"file\":\"Rivers.tuned.yaml\","
                        + Json.object(json -> json.writeStringField("tuned", text))
                                .replaceAll("^\\{|}$", "")
                        + ",\"command\":\"thalweg run Rivers.java --tuned Rivers.tuned.yaml\",\"report\":{\"version\":2,"
                        + "\"topology\":\"Rivers\",\"goal\":\"throughput\",\"rate\":null,\"limitUs\":null,\"cores\":2,"
                        + "\"before\":1000.0,\"outputs\":[{\"name\":\"'out'\",\"records\":500,\"digest\":\"a\"}],"
                        + "\"start\":[{\"operator\":\"\",\"name\":\"threads\",\"value\":\"2\"}],\"steps\":[" + KEPT_STEP
                        + ","
                        + (over ? DIFFERENT_STEP : TRYING_STEP)
                        + "],\"skipped\":[{\"operator\":\"\",\"name\":\"queue\",\"value\":\"64\"}],"
                        + "\"unfit\":[{\"choice\":{\"operator\":\"\",\"name\":\"max-pending\",\"value\":\"10\"},\"why\":\"it is not acked\"}],"
                        + "\"kept\":[{\"operator\":\"\",\"name\":\"threads\",\"value\":\"2\"},"
                        + "{\"operator\":\"part\",\"name\":\"parallelism\",\"value\":\"4\"}],\"total\":null,\"ended\":\""
                        + (over ? "nothing else to try" : "") + "\",\"runs\":9,\"seconds\":58.0}}")
                .replace("\n", "");
    }
}
