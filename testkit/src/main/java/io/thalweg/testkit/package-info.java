// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of topologies: hands them records by hand, runs them step by step or on threads, and looks at what comes out.
 */
@NullMarked
package io.thalweg.testkit;

import org.jspecify.annotations.NullMarked;
