// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.thalweg.lab.LabException;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The studies that come with the lab, and a user's own. */
public final class Studies {
    private static final List<String> OURS = List.of(
            "flink-storm-360",
            "storm-2012",
            "jstorm-2014",
            "telecom-2015",
            "kafka-emr",
            "portability",
            "windows",
            "files",
            "failure");

    private static final ObjectMapper YAML = new YAMLMapper();

    private Studies() {}

    public static List<Study> all() {
        return OURS.stream().map(Studies::ours).toList();
    }

    /** The cells of the lab's test of itself. */
    public static Study selfTest() {
        return ours("self-test");
    }

    /** A part of a study: all of it, or one case. */
    public record Selection(Study study, List<Study.Case> cases) {
        /** Cells that belong side by side, group by group. */
        public List<List<Study.Planned>> plan(List<String> engines, Study.Variants variants, boolean quick) {
            List<List<Study.Planned>> groups = new ArrayList<>();
            boolean named = cases.size() < study.cases().size();
            for (Study.Case each : cases) {
                if (quick && each.fullOnly() && !named) {
                    continue;
                }
                groups.addAll(study.plan(each, engines, variants, quick));
            }
            return groups;
        }
    }

    /**
     * Finds what {@code STUDY}, {@code STUDY.CASE} or {@code FILE.yaml} names.
     *
     * @throws LabException if there is no such study or case, or the file is none
     */
    public static Selection find(String text) {
        if (text.endsWith(".yaml") || text.endsWith(".yml")) {
            Study study = read(Path.of(text));
            return new Selection(study, study.cases());
        }
        int dot = text.indexOf('.');
        String name = dot < 0 ? text : text.substring(0, dot);
        if (!OURS.contains(name)) {
            throw new LabException(
                    "no study '" + name + "'; there are " + String.join(", ", OURS) + ", and FILE.yaml for your own");
        }
        Study study = ours(name);
        if (dot < 0) {
            return new Selection(study, study.cases());
        }
        String wanted = text.substring(dot + 1);
        List<Study.Case> cases = study.cases().stream()
                .filter(each -> each.name().equals(wanted))
                .toList();
        if (cases.isEmpty()) {
            throw new LabException("study " + name + " has no case '" + wanted + "'; it has "
                    + String.join(
                            ", ", study.cases().stream().map(Study.Case::name).toList()));
        }
        return new Selection(study, cases);
    }

    /**
     * The results with what is known by now of why they differ from the claims, which is written after the runs, and the verdicts on the
     * authors' conclusions as the studies of today have them; what they say themselves of other studies stays.
     */
    public static Results explained(Results results) {
        Map<String, Study> ours = new HashMap<>();
        all().forEach(study -> ours.put(study.name(), study));
        return new Results(
                results.schema(),
                results.machine(),
                results.asked(),
                results.memoryGbPerS(),
                results.studies().stream()
                        .map(text -> {
                            Study study = ours.get(text.name());
                            return study == null ? text : study.text(results.cells());
                        })
                        .toList(),
                results.cells().stream()
                        .map(cell -> explained(cell, ours.get(cell.study())))
                        .toList());
    }

    private static CellResult explained(CellResult cell, @Nullable Study study) {
        String caseName = cell.caseName().split(" ", 2)[0]; // what follows is a value of the sweep
        return study == null
                ? cell
                : study.cases().stream()
                        .filter(each -> each.name().equals(caseName))
                        .map(each -> each.why().get(cell.engine()))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(cell::because)
                        .orElse(cell);
    }

    private static Study ours(String name) {
        try (InputStream in = Objects.requireNonNull(Studies.class.getResourceAsStream(name + ".yaml"), name)) {
            return YAML.readValue(in, Study.class);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static Study read(Path file) {
        if (!Files.isReadable(file)) {
            throw new LabException(file + ": no such file, or it cannot be read");
        }
        try {
            Study study = YAML.readValue(file.toFile(), Study.class);
            String problem = study == null ? "there is no study in it" : study.problem();
            if (problem != null) {
                throw new LabException(file + ": " + problem);
            }
            if (OURS.contains(study.name()) && !study.equals(ours(study.name()))) {
                throw new LabException(file + ": its name is that of the lab's own study " + study.name()
                        + ", whose reasons and conclusions a report would take for its; give it another name");
            }
            return study.at(file.toAbsolutePath().resolveSibling(""));
        } catch (UnrecognizedPropertyException e) {
            throw new LabException(
                    file + ": there is no '" + e.getPropertyName() + "' here; there are "
                            + new TreeSet<>(e.getKnownPropertyIds()),
                    e);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr();
            throw new LabException(file + where + ": " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }
}
