// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.thalweg.lab.driver.Setting;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.SecretSettings;
import io.thalweg.lab.result.StudyText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A study as its YAML file has it.
 *
 * @param name what {@code lab run} calls it
 * @param settings of every cell, in the words of {@link io.thalweg.lab.driver.Cell}
 * @param engines which engines run it, and in which variants; an empty list stands for the engine's first one
 */
public record Study(
        String name,
        String title,
        String setup,
        List<Conclusion> conclusions,
        List<String> notes,
        @JsonDeserialize(using = SettingsReader.class) Map<String, String> settings,
        Map<String, List<String>> engines,
        List<Case> cases) {

    /** The settings that {@code tasks} stands for. */
    private static final List<String> OF_TASKS = List.of("sources", "relays", "sinks", "ackers");

    public Study {
        conclusions = conclusions == null ? List.of() : conclusions;
        notes = notes == null ? List.of() : notes;
        settings = settings == null ? Map.of() : settings;
        setup = setup == null ? "" : setup;
        engines = engines == null ? Map.of() : engines;
        cases = cases == null ? List.of() : cases;
    }

    /**
     * A case of a study.
     *
     * @param settings on top of the study's
     * @param quick settings that take their place in a quick run
     * @param sweep one setting that takes several values, each a cell of its own; of options of engines any number, one at a time
     * @param claims what the authors reached, by engine or by engine/variant; with a sweep, a figure for each value
     * @param notTestable why this machine cannot test the claim; null if it can
     * @param notTestableFrom as {@code notTestable}, for the values of the sweep from this one on
     * @param fullOnly whether a quick run of the study leaves it out; one of this case does not
     * @param engines variants that this case has besides those of the study, by engine
     * @param again a cell that is run twice, as {@code ENGINE/VARIANT}, so that two equal ones stand in the report; null for none
     * @param why what makes our figures differ from the claims, by engine; written after the runs, from evidence
     */
    public record Case(
            String name,
            String title,
            @JsonDeserialize(using = SettingsReader.class) Map<String, String> settings,
            @JsonDeserialize(using = SettingsReader.class) Map<String, String> quick,
            Map<String, List<String>> sweep,
            Map<String, List<Figure>> claims,
            @JsonProperty("not-testable") @Nullable String notTestable,
            @JsonProperty("not-testable-from") @Nullable Long notTestableFrom,
            @JsonProperty("full-only") boolean fullOnly,
            Map<String, List<String>> engines,
            @Nullable String again,
            Map<String, String> why) {

        public Case {
            settings = settings == null ? Map.of() : settings;
            quick = quick == null ? Map.of() : quick;
            sweep = sweep == null ? Map.of() : sweep;
            claims = claims == null ? Map.of() : claims;
            engines = engines == null ? Map.of() : engines;
            why = why == null ? Map.of() : why;
        }

        /** @param cell as cells are called: a value of the sweep behind the name */
        boolean isNamed(String cell) {
            boolean bare = (sweep.isEmpty() || sweepsOptions()) && cell.equals(name);
            return bare
                    || sweep.entrySet().stream()
                            .anyMatch(each -> each.getValue().stream()
                                    .anyMatch(value -> cell.equals(named(each.getKey(), value))));
        }

        /** As its cell at a value of the sweep is called: the value behind the name, but of a secret which of the values it is. */
        String named(String setting, String value) {
            boolean secret = SecretSettings.without(setting, value).equals(Results.NOT_KEPT);
            int place = sweep.getOrDefault(setting, List.of()).indexOf(value) + 1;
            return name + " " + setting + "=" + (secret ? "(not kept " + place + ")" : value);
        }

        /** Whether it sweeps over options of engines alone: then each value is run beside the case without any. */
        boolean sweepsOptions() {
            return !sweep.isEmpty() && sweep.keySet().stream().allMatch(Setting::isOption);
        }

        /** Of an engine, those that this case has besides the study's. */
        List<String> variants(String engine) {
            List<String> its = engines.get(engine);
            return its == null ? List.of() : its;
        }

        Case at(Path folder) {
            return new Case(
                    name,
                    title,
                    resolved(settings, folder),
                    resolved(quick, folder),
                    sweep,
                    claims,
                    notTestable,
                    notTestableFrom,
                    fullOnly,
                    engines,
                    again,
                    why);
        }
    }

    /** The same, with the jars that it names found from the folder that its file is in. */
    Study at(Path folder) {
        return new Study(
                name,
                title,
                setup,
                conclusions,
                notes,
                resolved(settings, folder),
                engines,
                cases.stream().map(each -> each.at(folder)).toList());
    }

    private static Map<String, String> resolved(Map<String, String> settings, Path folder) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.computeIfPresent(
                "jar", (name, jar) -> folder.resolve(jar).normalize().toString());
        return all;
    }

    /** @param rate records a second; null if the authors gave another unit */
    public record Figure(@Nullable Double rate, String says) {}

    /** One case at one value of its sweep, for one engine in one variant. */
    public record Planned(
            Study study,
            Case ofCase,
            String caseName,
            String engine,
            String variant,
            Map<String, String> settings,
            CellResult.@Nullable Claim claim,
            @Nullable String notTestable) {
        /** The same, to be held against it: the claim stands beside the first. */
        private Planned again() {
            return new Planned(study, ofCase, caseName + CellResult.AGAIN, engine, variant, settings, null, null);
        }
    }

    /** What is missing or cannot be; null if nothing. */
    @Nullable String problem() {
        if (name == null || title == null || engines.isEmpty() || cases.isEmpty()) {
            return "a study needs name, title, engines and cases";
        }
        if (notes.stream().anyMatch(Objects::isNull)) {
            return "a note is empty";
        }
        Set<String> names = new HashSet<>();
        for (Case each : cases) {
            if (each == null || each.name() == null || each.title() == null) {
                return "a case needs name and title";
            }
            if (!names.add(each.name())) {
                return "there are two cases " + each.name();
            }
            String problem = problemWith(each);
            if (problem != null) {
                return problem;
            }
        }
        for (Conclusion each : conclusions) {
            String problem = each == null ? "a conclusion is empty" : each.problem(this);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String problemWith(Case ofCase) {
        String problem = problemWithEngines(ofCase);
        problem = problem == null ? problemWithSweep(ofCase) : problem;
        problem = problem == null ? problemWithAgain(ofCase) : problem;
        problem = problem == null ? problemWithClaims(ofCase) : problem;
        return problem == null ? problemWithWhy(ofCase) : problem;
    }

    private @Nullable String problemWithEngines(Case ofCase) {
        for (String engine : ofCase.engines().keySet()) {
            if (!engines.containsKey(engine)) {
                return "case " + ofCase.name() + " has variants of " + engine
                        + ", which is none of the study's engines " + engines.keySet();
            }
        }
        for (String engine : engines.keySet()) {
            List<String> its = variants(ofCase, engine);
            if (its.contains(null) || new HashSet<>(its).size() < its.size()) {
                return "case " + ofCase.name() + " needs each variant of " + engine + " once, not " + its
                        + "; to run a cell twice, name it as again";
            }
        }
        return null;
    }

    /** As far as they are named. */
    private List<String> variants(Case ofCase, String engine) {
        List<String> its = new ArrayList<>(Objects.requireNonNullElse(engines.get(engine), List.of()));
        its.addAll(ofCase.variants(engine));
        return its;
    }

    private static @Nullable String problemWithSweep(Case ofCase) {
        if (ofCase.sweep().size() > 1 && !ofCase.sweepsOptions()) {
            return "case " + ofCase.name() + " sweeps " + ofCase.sweep().keySet() + ": one setting at a time";
        }
        for (Map.Entry<String, List<String>> each : ofCase.sweep().entrySet()) {
            List<String> values = each.getValue();
            if (values == null
                    || values.isEmpty()
                    || values.contains(null)
                    || new HashSet<>(values).size() < values.size()) {
                return "case " + ofCase.name() + ": the sweep of " + each.getKey() + " needs values, each once";
            }
        }
        boolean numbers = !ofCase.sweep().isEmpty()
                && ofCase.sweep().values().stream().flatMap(List::stream).allMatch(Study::isWhole);
        return ofCase.notTestableFrom() != null && (ofCase.notTestable() == null || !numbers)
                ? "case " + ofCase.name()
                        + ": not-testable-from needs a sweep of whole numbers, and not-testable, the reason"
                : null;
    }

    private static boolean isWhole(String value) {
        return value.matches("[0-9_]*[0-9]");
    }

    private @Nullable String problemWithClaims(Case ofCase) {
        int values = ofCase.sweep().isEmpty() || ofCase.sweepsOptions()
                ? 1
                : ofCase.sweep().values().iterator().next().size();
        for (Map.Entry<String, List<Figure>> each : ofCase.claims().entrySet()) {
            String claims = "case " + ofCase.name() + ": claims of " + each.getKey();
            String[] cell = each.getKey().split("/", 2);
            List<String> its = variants(ofCase, cell[0]);
            if (!engines.containsKey(cell[0]) || (cell.length > 1 && !its.isEmpty() && !its.contains(cell[1]))) {
                return claims + ", and no cell is of that: name ENGINE or ENGINE/VARIANT as engines has them";
            }
            List<Figure> figures = each.getValue();
            if (figures == null || figures.stream().anyMatch(figure -> figure == null || figure.says() == null)) {
                return claims + " need says, the words of the authors, each";
            }
            if (figures.size() > values) {
                return claims + " are " + figures.size() + ", for " + (values == 1 ? "one cell" : values + " values");
            }
        }
        return null;
    }

    private @Nullable String problemWithWhy(Case ofCase) {
        return ofCase.why().entrySet().stream()
                .filter(each -> each.getValue() == null || !engines.containsKey(each.getKey()))
                .map(each -> "case " + ofCase.name() + ": why of " + each.getKey()
                        + " needs a text, for one of the study's engines " + engines.keySet())
                .findFirst()
                .orElse(null);
    }

    private @Nullable String problemWithAgain(Case ofCase) {
        String again = ofCase.again();
        if (again == null) {
            return null;
        }
        if (!ofCase.sweep().isEmpty() && !ofCase.sweepsOptions()) {
            return "case " + ofCase.name() + " has again and a sweep: one or the other";
        }
        boolean known = engines.keySet().stream()
                .anyMatch(engine ->
                        variants(ofCase, engine).stream().anyMatch(variant -> again.equals(engine + "/" + variant)));
        return known
                ? null
                : "case " + ofCase.name() + ": there is no '" + again
                        + "' to run again; name ENGINE/VARIANT as engines has them";
    }

    /** @param cells those measured so far, of any study, for the verdicts on the authors' conclusions */
    public StudyText text(List<CellResult> cells) {
        List<CellResult> its =
                cells.stream().filter(cell -> cell.study().equals(name)).toList();
        return new StudyText(
                name,
                title,
                setup,
                conclusions.stream().map(each -> each.told(its)).toList(),
                notes);
    }

    /** @param caseName with the value of its sweep */
    boolean has(String caseName, String engine, @Nullable String variant) {
        List<String> variants = engines.get(engine);
        boolean its = engines.containsKey(engine)
                && (variant == null || variants == null || variants.isEmpty() || variants.contains(variant));
        return cases.stream()
                .filter(each -> each.isNamed(caseName))
                .anyMatch(
                        each -> its || (variant != null && each.variants(engine).contains(variant)));
    }

    /** All cells of a case, side by side, in the order in which they take turns. */
    List<List<Planned>> plan(Case ofCase, List<String> wanted, Variants variants, boolean quick) {
        List<List<Planned>> rounds = new ArrayList<>();
        if (ofCase.sweep().isEmpty()) {
            rounds.add(withAgain(ofCase, cells(ofCase, null, null, 0, wanted, variants, quick)));
        }
        if (ofCase.sweepsOptions()) {
            List<Planned> around = withAgain(ofCase, cells(ofCase, null, null, 0, wanted, variants, quick));
            ofCase.sweep()
                    .forEach((setting, values) -> values.forEach(
                            value -> around.addAll(cells(ofCase, setting, value, 0, wanted, variants, quick))));
            rounds.add(around);
            return rounds;
        }
        ofCase.sweep().forEach((setting, values) -> {
            for (int i = 0; i < values.size(); i++) {
                rounds.add(cells(ofCase, setting, values.get(i), i, wanted, variants, quick));
            }
        });
        return rounds;
    }

    private static List<Planned> withAgain(Case ofCase, List<Planned> cells) {
        List<Planned> all = new ArrayList<>(cells);
        cells.stream()
                .filter(each -> (each.engine() + "/" + each.variant()).equals(ofCase.again()))
                .forEach(each -> all.add(each.again()));
        return all;
    }

    /** Which variant of an engine runs a cell that names none. */
    public interface Variants {
        String usual(String engine, Map<String, String> settings);
    }

    private List<Planned> cells(
            Case ofCase,
            @Nullable String swept,
            @Nullable String value,
            int index,
            List<String> wanted,
            Variants variants,
            boolean quick) {
        List<Planned> cells = new ArrayList<>();
        engines.forEach((engine, named) -> {
            boolean unwanted = !wanted.isEmpty() && !wanted.contains(engine);
            if (unwanted || (swept != null && isOfAnother(swept, engine))) {
                return;
            }
            Map<String, String> ofAll = new LinkedHashMap<>(settings);
            ofAll.putAll(ofCase.settings());
            if (quick) {
                ofAll.putAll(ofCase.quick());
            }
            if (swept != null && value != null) {
                ofAll.put(swept, value);
            }
            String tasks = ofAll.get("tasks");
            if (tasks != null) {
                OF_TASKS.forEach(each -> ofAll.put(each, tasks));
            }
            ofAll.keySet().removeIf(each -> isOfAnother(each, engine));
            List<String> its =
                    new ArrayList<>(named == null || named.isEmpty() ? List.of(variants.usual(engine, ofAll)) : named);
            its.addAll(ofCase.variants(engine)); // the usual one may be among them
            for (String variant : new LinkedHashSet<>(its)) {
                Map<String, String> all = new LinkedHashMap<>(ofAll);
                all.put("variant", variant);
                boolean beyond = value != null
                        && ofCase.notTestableFrom() != null
                        && Long.parseLong(value.replace("_", "")) >= ofCase.notTestableFrom();
                cells.add(new Planned(
                        this,
                        ofCase,
                        swept == null || value == null ? ofCase.name() : ofCase.named(swept, value),
                        engine,
                        variant,
                        all,
                        claim(ofCase, engine, variant, index),
                        ofCase.notTestableFrom() == null || beyond ? ofCase.notTestable() : null));
            }
        });
        return cells;
    }

    private static boolean isOfAnother(String setting, String engine) {
        return Setting.isOption(setting) && !Setting.engineOf(setting).equals(engine);
    }

    private static CellResult.@Nullable Claim claim(Case ofCase, String engine, String variant, int index) {
        List<Figure> figures = ofCase.claims()
                .getOrDefault(engine + "/" + variant, ofCase.claims().get(engine));
        if (figures == null || index >= figures.size()) {
            return null;
        }
        Figure figure = figures.get(index);
        return new CellResult.Claim(figure.rate(), figure.says());
    }
}
