// SPDX-License-Identifier: Apache-2.0
/** The entry point of the embedded engine: {@link io.thalweg.engine.EmbeddedRunner} and {@link io.thalweg.engine.Job}. */
@NullMarked
package io.thalweg.engine;

import org.jspecify.annotations.NullMarked;
