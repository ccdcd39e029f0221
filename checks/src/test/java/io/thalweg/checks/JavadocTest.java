// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users program against has Javadoc, or overrides what has. */
final class JavadocTest {

    @ParameterizedTest
    @ValueSource(strings = {"api", "run", "files", "columnar", "kafka", "jdbc", "http", "wire", "python", "testkit"})
    void everythingThatUsersCallShouldHaveJavadoc(String module) throws IOException {
        Path sources = Repository.ROOT.resolve(module).resolve("src/main/java");
        Undocumented undocumented = new Undocumented();
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> paths = Repository.filesEndingIn(".java").stream()
                    .filter(file -> file.startsWith(sources))
                    .toList();
            JavaCompiler.CompilationTask task = compiler.getTask(
                    messages,
                    files,
                    null,
                    List.of("-proc:only", "-classpath", System.getProperty("java.class.path")),
                    null,
                    files.getJavaFileObjectsFromPaths(paths));
            task.setProcessors(List.of(undocumented));

            assertThat(task.call()).as(messages.toString()).isTrue();
        }
        assertThat(undocumented.names).isEmpty();
    }

    /** Collects what is public or protected and has no Javadoc. */
    @SupportedAnnotationTypes("*")
    private static final class Undocumented extends AbstractProcessor {
        /** The compiler adds these to records and enums. */
        private static final Set<String> GENERATED = Set.of("equals", "hashCode", "toString", "values", "valueOf");

        final Set<String> names = new TreeSet<>();

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            for (Element element : round.getRootElements()) {
                if (element instanceof TypeElement type) {
                    addFrom(type);
                }
            }
            return false;
        }

        private void addFrom(TypeElement type) {
            if (!visible(type)) {
                return;
            }
            String text = text(type);
            if (text.isBlank()) {
                names.add(type.toString());
            }
            List<Element> known = new ArrayList<>();
            for (RecordComponentElement component : type.getRecordComponents()) {
                known.add(component.getAccessor());
                if (!text.contains("@param " + component.getSimpleName() + " ")) {
                    names.add(type + "(" + component + ")");
                }
            }
            for (Element member : type.getEnclosedElements()) {
                if (member instanceof TypeElement nested) {
                    addFrom(nested);
                } else if (!known.contains(member) && mustHaveJavadoc(member)) {
                    names.add(type + "." + member);
                }
            }
        }

        private boolean mustHaveJavadoc(Element member) {
            ElementKind owner = member.getEnclosingElement().getKind();
            boolean callable = member.getKind() == ElementKind.METHOD
                    || (member.getKind() == ElementKind.CONSTRUCTOR && owner != ElementKind.RECORD);
            return callable
                    && visible(member)
                    && processingEnv.getElementUtils().getOrigin(member) == Elements.Origin.EXPLICIT
                    && !GENERATED.contains(member.getSimpleName().toString())
                    && member.getAnnotation(Override.class) == null
                    && text(member).isBlank();
        }

        private static boolean visible(Element element) {
            return element.getModifiers().contains(Modifier.PUBLIC)
                    || element.getModifiers().contains(Modifier.PROTECTED);
        }

        private String text(Element element) {
            String text = processingEnv.getElementUtils().getDocComment(element);
            return text == null ? "" : text;
        }
    }
}
