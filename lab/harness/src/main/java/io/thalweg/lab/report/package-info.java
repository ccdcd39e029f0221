// SPDX-License-Identifier: Apache-2.0
/** What the lab measured, for people: a report for the terminal, and one in HTML that opens anywhere. */
@NullMarked
package io.thalweg.lab.report;

import org.jspecify.annotations.NullMarked;
