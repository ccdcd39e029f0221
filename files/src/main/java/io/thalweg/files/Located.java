// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

/**
 * A record, and where it was read; made by {@code withPosition()} of a source.
 *
 * @param file as the source's path names it; {@code -} for standard input
 * @param line of its beginning, from 1
 * @param offset of its first byte in the unpacked file
 */
public record Located<T>(String file, long line, long offset, T value) {}
