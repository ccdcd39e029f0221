// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of topologies: feeds them records, runs them step by step or on threads, and checks the results.
 */
@NullMarked
package io.thalweg.testkit;

import org.jspecify.annotations.NullMarked;
