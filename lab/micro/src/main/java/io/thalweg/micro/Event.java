// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

/** A small immutable record. */
public record Event(long value) {}
