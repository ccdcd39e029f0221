// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import java.util.List;

/** The metrics that there are: names, types and labels stay as they are, because dashboards and alerts of users name them. */
enum Metric {
    JOB_INFO("thalweg_job_info", Type.GAUGE, "always 1", "runner"),
    JOB_STATE("thalweg_job_state", Type.GAUGE, "1 for the state that the job is in, 0 for the others", "state"),
    JOB_ELAPSED("thalweg_job_elapsed_seconds", Type.GAUGE, "time since the job was last started"),
    JOB_RESTARTS("thalweg_job_restarts_total", Type.COUNTER, "restarts after failures"),
    RECORDS_IN("thalweg_records_in_total", Type.COUNTER, "records read by all sources"),
    RECORDS_OUT("thalweg_records_out_total", Type.COUNTER, "records written by all sinks"),
    RECORDS_BAD("thalweg_records_bad_total", Type.COUNTER, "records that could not be read or were refused"),
    RECORDS_LATE("thalweg_records_late_total", Type.COUNTER, "records that were late"),
    WINDOWS_OPEN("thalweg_windows_open", Type.GAUGE, "windows that have not fired, counted for each key"),
    LATENCY(
            "thalweg_latency_seconds",
            Type.HISTOGRAM,
            "age of records when a sink had processed them, from when they were due"),
    ACKS("thalweg_acks_total", Type.COUNTER, "what became of records of a job that acks", "outcome"),
    ACKS_PENDING("thalweg_acks_pending", Type.GAUGE, "records sent and not acked yet"),
    ACKS_LATENCY(
            "thalweg_acks_latency_seconds", Type.GAUGE, "time until a record was acked, since the start", "quantile"),
    CHECKPOINT_NUMBER("thalweg_checkpoint_number", Type.GAUGE, "number of the newest complete checkpoint"),
    CHECKPOINT_TIME(
            "thalweg_checkpoint_timestamp_seconds",
            Type.GAUGE,
            "when the newest checkpoint was complete, in seconds since 1970"),
    CHECKPOINT_DURATION("thalweg_checkpoint_duration_seconds", Type.GAUGE, "how long the newest checkpoint took"),
    CHECKPOINT_ALIGNMENT(
            "thalweg_checkpoint_alignment_seconds", Type.GAUGE, "longest alignment of a task in the newest checkpoint"),
    CHECKPOINT_PAUSE(
            "thalweg_checkpoint_pause_seconds", Type.GAUGE, "longest pause of a task for the newest checkpoint"),
    CHECKPOINT_SIZE("thalweg_checkpoint_size_bytes", Type.GAUGE, "serialized state in the newest checkpoint"),
    TASK_RECORDS_IN(
            "thalweg_task_records_in_total", Type.COUNTER, "records polled or taken from queues", "chain", "task"),
    TASK_RECORDS_OUT(
            "thalweg_task_records_out_total", Type.COUNTER, "records put into queues or written", "chain", "task"),
    TASK_RECORDS_BAD("thalweg_task_records_bad_total", Type.COUNTER, "bad records of its operators", "chain", "task"),
    TASK_RECORDS_LATE(
            "thalweg_task_records_late_total", Type.COUNTER, "late records of its operators", "chain", "task"),
    TASK_SECONDS(
            "thalweg_task_seconds_total",
            Type.COUNTER,
            "time that the task was busy, waiting or back_pressured",
            "chain",
            "task",
            "time"),
    TASK_QUEUE("thalweg_task_queue_batches", Type.GAUGE, "batches that wait in its input queues", "chain", "task"),
    TASK_SLOW_CALLS(
            "thalweg_task_slow_calls_total",
            Type.COUNTER,
            "calls that held their thread for over 100 ms",
            "chain",
            "task"),
    TASK_LONGEST_CALL("thalweg_task_longest_call_seconds", Type.GAUGE, "the longest call so far", "chain", "task"),
    TASK_LAG("thalweg_task_lag_records", Type.GAUGE, "records that its source has not read yet", "chain", "task"),
    TASK_BYTES("thalweg_task_read_bytes_total", Type.COUNTER, "bytes that its source has read", "chain", "task"),
    STATE_KEYS("thalweg_state_keys", Type.GAUGE, "keys with state", "operator"),
    STATE_BYTES("thalweg_state_bytes", Type.GAUGE, "heap that the state takes, estimated", "operator"),
    SYSTEM_LOST(
            "thalweg_system_lost", Type.GAUGE, "1 while the system is lost, 0 once it is back", "operator", "system"),
    SYSTEM_LOSSES("thalweg_system_losses_total", Type.COUNTER, "how often the system was lost", "operator", "system"),
    SYSTEM_LOST_SECONDS(
            "thalweg_system_lost_seconds_total", Type.COUNTER, "how long the system was lost", "operator", "system"),
    PROCESS_CPU("thalweg_process_cpu_seconds_total", Type.COUNTER, "CPU time of the job's processes"),
    PROCESS_HEAP("thalweg_process_heap_bytes", Type.GAUGE, "heap in use, including garbage"),
    PROCESS_GC("thalweg_process_gc_total", Type.COUNTER, "garbage collections"),
    PROCESS_GC_SECONDS("thalweg_process_gc_seconds_total", Type.COUNTER, "time spent in garbage collections"),
    PROCESS_THREADS("thalweg_process_threads", Type.GAUGE, "live threads");

    enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private final String text;
    private final Type type;
    private final String help;
    private final List<String> labels;

    Metric(String text, Type type, String help, String... labels) {
        this.text = text;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** Its name, as Prometheus knows it. */
    String text() {
        return text;
    }

    Type type() {
        return type;
    }

    String help() {
        return help;
    }

    /** Its labels beside {@code topology}, which every metric has. */
    List<String> labels() {
        return labels;
    }
}
