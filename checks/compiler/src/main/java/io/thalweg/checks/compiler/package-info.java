// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.thalweg.checks.compiler;

import org.jspecify.annotations.NullMarked;
