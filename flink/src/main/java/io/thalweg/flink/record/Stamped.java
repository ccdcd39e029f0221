// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

/**
 * A record of a stream with event time, and its stamp: the watermark that its split had before it. Its event time is
 * that of Flink's StreamRecord.
 */
public record Stamped(Object value, long stamp) {}
