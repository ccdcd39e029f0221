// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/**
 * A record and where it was read; made by {@code withPosition()} of a source.
 *
 * @param <T> records
 * @param file as in the source's path; {@code -} for standard input
 * @param line of its beginning, from 1
 * @param offset of its first byte in the uncompressed file
 * @param value the record
 */
public record Located<T>(String file, long line, long offset, T value) {}
