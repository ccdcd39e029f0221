// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import com.fasterxml.jackson.core.JsonGenerator;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.web.graph.GraphLayout;
import io.thalweg.web.watch.EngineMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How a job runs, with where its chains stand on the page. */
public final class PlanJson {
    private PlanJson() {}

    /**
     * An object of JSON, in one line.
     *
     * @param run distinguishes this run from others
     * @param judged whether a doctor judges the job
     */
    public static String of(String run, PlanInfo plan, boolean judged) {
        return Json.object(json -> {
            json.writeStringField("run", run);
            json.writeStringField("topology", plan.topology());
            json.writeStringField("runner", plan.runner());
            json.writeNumberField("workers", plan.workers());
            json.writeBooleanField("judged", judged);
            json.writeBooleanField("queues", EngineMetrics.by(plan).queues());
            json.writeBooleanField("calls", EngineMetrics.by(plan).calls());
            operators(json, plan);
            drawn(json, plan);
            edges(json, plan);
            json.writeArrayFieldStart("options");
            for (PlanInfo.Option option : plan.options()) {
                json.writeStartObject();
                json.writeStringField("operator", option.operator());
                json.writeStringField("name", option.name());
                json.writeStringField("value", option.value());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void operators(JsonGenerator json, PlanInfo plan) throws IOException {
        json.writeArrayFieldStart("operators");
        for (PlanInfo.Operator operator : plan.operators()) {
            json.writeStartObject();
            json.writeStringField("name", operator.name());
            json.writeStringField("kind", operator.kind());
            json.writeStringField("description", operator.description());
            json.writeNumberField("chain", operator.chain());
            json.writeNumberField("parallelism", operator.parallelism());
            json.writeBooleanField("stateful", operator.stateful());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void drawn(JsonGenerator json, PlanInfo plan) throws IOException {
        List<PlanInfo.Edge> drawn = drawnEdges(plan);
        Map<String, Integer> chains = chainOfOperator(plan);
        List<GraphLayout.Link> links = new ArrayList<>();
        for (PlanInfo.Edge edge : drawn) {
            links.add(new GraphLayout.Link(chains.getOrDefault(edge.from(), 0), chains.getOrDefault(edge.to(), 0)));
        }
        GraphLayout layout = GraphLayout.of(plan.chains().size(), links);
        json.writeNumberField("layers", layout.layers());
        Json.rounded(json, "breadth", layout.breadth());
        json.writeArrayFieldStart("chains");
        for (int i = 0; i < plan.chains().size(); i++) {
            PlanInfo.Chain chain = plan.chains().get(i);
            json.writeStartObject();
            json.writeArrayFieldStart("operators");
            for (String operator : chain.operators()) {
                json.writeString(operator);
            }
            json.writeEndArray();
            json.writeNumberField("parallelism", chain.parallelism());
            json.writeStringField("runsAs", chain.runsAs());
            json.writeFieldName("at");
            point(json, layout.nodes().get(i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("links");
        for (int i = 0; i < drawn.size(); i++) {
            json.writeStartObject();
            json.writeNumberField("from", links.get(i).from());
            json.writeNumberField("to", links.get(i).to());
            json.writeStringField("side", drawn.get(i).side());
            json.writeStringField("grouping", drawn.get(i).grouping());
            json.writeBooleanField("feedback", drawn.get(i).feedback());
            json.writeArrayFieldStart("points");
            for (GraphLayout.Point point : layout.edges().get(i)) {
                point(json, point);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void point(JsonGenerator json, GraphLayout.Point point) throws IOException {
        json.writeStartArray();
        json.writeNumber(point.layer());
        Json.rounded(json, point.place());
        json.writeEndArray();
    }

    private static void edges(JsonGenerator json, PlanInfo plan) throws IOException {
        json.writeArrayFieldStart("edges");
        for (PlanInfo.Edge edge : plan.edges()) {
            json.writeStartObject();
            json.writeStringField("from", edge.from());
            json.writeStringField("to", edge.to());
            json.writeStringField("side", edge.side());
            json.writeNumberField("input", edge.input());
            json.writeStringField("grouping", edge.grouping());
            json.writeNumberField("tasksFrom", edge.tasksFrom());
            json.writeNumberField("tasksTo", edge.tasksTo());
            json.writeStringField("type", edge.type());
            json.writeBooleanField("fused", edge.fused());
            json.writeStringField("reason", edge.reason());
            json.writeBooleanField("feedback", edge.feedback());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Those that lead from one chain to another, in the order of the plan. */
    static List<PlanInfo.Edge> drawnEdges(PlanInfo plan) {
        return plan.edges().stream().filter(edge -> !edge.fused()).toList();
    }

    /** The place of each operator's chain in the plan. */
    static Map<String, Integer> chainOfOperator(PlanInfo plan) {
        Map<String, Integer> chains = new HashMap<>();
        for (int i = 0; i < plan.chains().size(); i++) {
            for (String operator : plan.chains().get(i).operators()) {
                chains.put(operator, i);
            }
        }
        return chains;
    }
}
