// SPDX-License-Identifier: Apache-2.0
/** The embedded engine's door: {@link io.thalweg.engine.EmbeddedRunner} and {@link io.thalweg.engine.Job}. */
@NullMarked
package io.thalweg.engine;

import org.jspecify.annotations.NullMarked;
