// SPDX-License-Identifier: Apache-2.0
/**
 * What stands in the JVM of a system under test. The lab starts {@link io.thalweg.lab.driver.DriverMain} with the class path
 * of one engine and tells it on standard input which {@link io.thalweg.lab.driver.Cell} to run; the engine's
 * {@link io.thalweg.lab.driver.Driver} runs it, written the way that engine's own users would write it. Its sources and sinks
 * count on {@link io.thalweg.lab.driver.Meters}, which every JVM of the run writes into the run's folder ten times a second,
 * so that a cluster is measured in the same way as a single process.
 */
@NullMarked
package io.thalweg.lab.driver;

import org.jspecify.annotations.NullMarked;
