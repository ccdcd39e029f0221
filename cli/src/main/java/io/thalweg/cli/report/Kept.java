// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

/** Where bad records are kept, and how many of them. */
public record Kept(String file, long records) {}
