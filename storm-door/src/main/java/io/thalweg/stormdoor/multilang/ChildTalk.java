// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.metric.api.rpc.IShellMetric;
import org.apache.storm.multilang.ShellMsg;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.ShellLogHandler;
import org.apache.storm.utils.ShellProcess;
import org.apache.storm.utils.ShellUtils;

/** What spouts and bolts do with messages that are neither tuples nor acks. */
final class ChildTalk {
    /** A death of a child is forgiven so often without anything done in between. */
    static final int MOST_DEATHS = 3;

    private final TopologyContext context;
    private final ShellProcess described;
    private final ShellLogHandler log;
    private final Consumer<Throwable> errors;

    ChildTalk(
            Class<?> owner,
            ShellCommand command,
            Map<String, Object> conf,
            TopologyContext context,
            Consumer<Throwable> errors) {
        this.context = context;
        this.errors = errors;
        described = new ShellProcess(command.words().toArray(String[]::new));
        described.componentName = context.getThisComponentId();
        log = ShellUtils.getLogHandler(conf);
        log.setUpContext(owner, described, context);
    }

    /** How long a child may be silent. */
    static int timeoutSeconds(Map<String, Object> conf) {
        Object own = conf.get(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS);
        return Math.max(
                1, ObjectReader.getInt(own == null ? conf.get(Config.SUPERVISOR_WORKER_TIMEOUT_SECS) : own, 30));
    }

    /** With where it was. */
    static ConnectorException in(Map<String, Object> conf, String component, ConnectorException problem) {
        return new ConnectorException(
                "topology '" + conf.get(Config.TOPOLOGY_NAME) + "', operator '" + component + "': "
                        + problem.getMessage(),
                problem);
    }

    void began(ChildProcess child) {
        described.pid = child.pid();
    }

    /** Anything but tuples, acks and signs of life. */
    void handle(FromChild message) {
        if (message instanceof FromChild.Log line) {
            ShellMsg told = new ShellMsg();
            told.setCommand("log");
            told.setLogLevel(line.level());
            told.setMsg(line.text());
            log.log(told);
        } else if (message instanceof FromChild.Problem problem) {
            errors.accept(new Exception("Shell Process Exception: " + problem.text())); // as Storm has it
        } else if (message instanceof FromChild.Metric metric) {
            update(metric);
        }
    }

    @SuppressWarnings("deprecation") // metrics of the first version are what a child can change
    private void update(FromChild.Metric metric) {
        String name = metric.name();
        if (name != null && context.getRegisteredMetricByName(name) instanceof IShellMetric known) {
            try {
                known.updateMetricFromRPC(metric.params());
            } catch (Exception e) {
                errors.accept(new Exception("the metric '" + name + "' does not take " + metric.params(), e));
            }
        } else {
            errors.accept(new Exception("the child changes a metric '" + name
                    + "', and the component has registered no IShellMetric of that name"));
        }
    }
}
