// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

/**
 * A record of a stream with event time. Its time is that of Flink's record; the stamp, the watermark that its split had before
 * it, travels here.
 */
public record Stamped(Object value, long stamp) {}
