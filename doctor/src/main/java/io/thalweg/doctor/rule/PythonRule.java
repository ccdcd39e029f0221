// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.PythonWork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The job waits for an operator whose time goes to Python. */
final class PythonRule implements Rule {
    /** Of the time of its processes. The rest is that in which the next rows are on their way, and what others leave of the cores. */
    private static final double MIN_BUSY = 0.7;

    /** Of the busy time of the processes: then it is worth a change. */
    private static final double MIN_SERIALIZING = 0.3;

    /** Of the busy time: columns are not free. */
    private static final double MOST_SAVED = 0.9;

    /** Of the time in the function; with cores that are full, what is more than processes wait for these. */
    private static final double MIN_STANDING = 0.5;

    private static final double SURELY_STANDING = 0.9;

    /** More calls at a time than this are seldom welcome to whoever answers them. */
    private static final int MOST_PROCESSES = 16;

    /** Nobody knows what another way to compute the same would bring. */
    private static final double UNKNOWN = 0.2;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (OperatorProfile operator : facts.observation().operators()) {
            PythonWork work = operator.python();
            if (work != null && work.rows() > 0 && !facts.keepsUp()) {
                PythonFacts python = new PythonFacts(facts, work);
                Finding finding = python.busy() < MIN_BUSY ? null : finding(operator.operator(), python);
                if (finding != null) {
                    found.add(finding);
                }
            }
        }
        return found;
    }

    private static @Nullable Finding finding(String operator, PythonFacts python) {
        double least = python.facts().isMachineFull() ? SURELY_STANDING : MIN_STANDING;
        if (python.standing() >= least) {
            double factor = Math.min(
                    MOST_PROCESSES / (double) python.work().processes(),
                    Math.min(python.roomBesideOthers(), python.roomOfOthers()));
            return moreProcesses(operator, python, factor, "its function waits for something else in most of its time");
        }
        double factor = Math.min(python.roomOnCores(), python.roomOfOthers());
        if (factor >= Facts.MIN_GAIN) {
            return moreProcesses(
                    operator, python, factor, "its processes are busy, each computes on one core, and others are idle");
        }
        if (python.serializing() >= MIN_SERIALIZING && !python.takesColumns()) {
            return otherFraming(operator, python);
        }
        return python.takesRows() ? otherCode(operator, python) : null;
    }

    private static Findings evidence(String operator, PythonFacts python) {
        return Findings.of("python")
                .operator(operator)
                .figure("processes", python.work().processes(), "")
                .share("of their time busy", python.busy())
                .share("in the function", python.inFunction())
                .share("of the busy time in unpacking rows and packing results", python.serializing())
                .share("of the time in the function standing still", python.standing())
                .figure("rows in a batch", python.rowsPerBatch(), "")
                .figure("in the function for a row", python.microsPerRow(), "us")
                .figure(
                        "cores that its processes use",
                        python.cores(),
                        "of " + python.facts().cores())
                .figure("cores that Java uses to talk to them", python.talking(), "");
    }

    private static @Nullable Finding moreProcesses(String operator, PythonFacts python, double factor, String because) {
        if (factor < Facts.MIN_GAIN) {
            return null;
        }
        int each = Math.max(1, tasks(operator, python.facts()));
        int wanted = Math.max(2, (int) Math.ceil(python.work().processes() * factor / each));
        String also =
                python.serializing() >= MIN_SERIALIZING && !python.takesColumns() ? "; and " + columns(python) : "";
        return evidence(operator, python)
                .why("'" + operator + "' computes in Python, and the job waits for it: " + because)
                .remedy("give the operator .processes(" + wanted + ") for each of its " + each + " tasks" + also)
                .throughput(factor, "with more processes the job is as fast, and each of them is as busy as before")
                .get(0);
    }

    private static Finding otherFraming(String operator, PythonFacts python) {
        double most = Math.min(1 / (1 - Math.min(MOST_SAVED, python.serializing())), python.roomOfOthers());
        return evidence(operator, python)
                .why("'" + operator
                        + "' computes in Python, and the job waits for it: much of the time of its processes goes"
                        + " to unpacking rows and packing results, and not to its function")
                .remedy(columns(python))
                .made(
                        1 - 1 / most,
                        new Gain(
                                1,
                                Math.round(most * 100) / 100.0,
                                Gain.THROUGHPUT), // nothing is saved, or all that can be
                        "with columns the processes are as busy as before, with the same rate");
    }

    private static String columns(PythonFacts python) {
        String arrow =
                "mark the function with @operator(batch=\"arrow\"), which takes columns and makes no object of Python for a row";
        return python.packsInPython() ? "install the package msgpack for its interpreter; or " + arrow : arrow;
    }

    private static Finding otherCode(String operator, PythonFacts python) {
        return evidence(operator, python)
                .why("'" + operator
                        + "' computes in Python, and the job waits for it: its function is called for each row, and"
                        + " all cores are busy")
                .remedy(
                        "mark the function with @operator(batch=True) or @operator(batch=\"arrow\") and compute all rows at a time,"
                                + " with numpy or pyarrow.compute; or write it in Java")
                .made(UNKNOWN, null, "a function that only returns its row makes the job no faster");
    }

    private static int tasks(String operator, Facts facts) {
        return facts.chains().stream()
                .filter(chain -> chain.info().operators().contains(operator))
                .mapToInt(chain -> chain.tasks().size())
                .sum();
    }
}
