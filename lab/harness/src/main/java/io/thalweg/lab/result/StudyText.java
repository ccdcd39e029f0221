// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.List;

/**
 * What a report says of a study besides figures.
 *
 * @param name such as {@code storm-2012}
 * @param setup the authors' machines and settings
 * @param conclusions what the authors concluded
 * @param notes how it was run here and what differs, to be read above the table
 */
public record StudyText(String name, String title, String setup, List<String> conclusions, List<String> notes) {}
