// SPDX-License-Identifier: Apache-2.0
/** Jobs over files, a class each, as a user writes them: the lab runs each by {@code thalweg run FILE.java}. */
@NullMarked
package io.thalweg.lab.thalweg.files;

import org.jspecify.annotations.NullMarked;
